//! Modifiers of a feeling: experiencer, negation, degree (`assets/lexicon/around-feelings.txt`).

use super::sectioned;

sectioned! {
    AroundFeelings AROUND:
    feeling being much little denial ending others own own_things as_a_thing bringing days unreal wishing wished supposing not_so
    about about_that about_doing after_a_state times given_names clause_openers own_people which_people pointless impossible
    utmost more_than blessing described becoming
}
