//! Modifiers of a feeling: experiencer, negation, degree (`assets/lexicon/around-feelings.txt`).

use std::{collections::HashSet, sync::LazyLock};

use super::{language::List, listed_words};

pub(super) struct FeelingModifiers {
    pub feeling: HashSet<&'static str>,
    pub being: HashSet<&'static str>,
    pub much: HashSet<&'static str>,
    pub little: HashSet<&'static str>,
    pub denial: HashSet<&'static str>,
    pub others: HashSet<&'static str>,
    pub own: HashSet<&'static str>,
    pub own_things: HashSet<&'static str>,
    pub as_things: HashSet<&'static str>,
    pub bringing: HashSet<&'static str>,
    pub days: HashSet<&'static str>,
    pub unreal: HashSet<&'static str>,
    pub wishing: HashSet<&'static str>,
    pub wished: HashSet<&'static str>,
    pub supposing: HashSet<&'static str>,
    pub not_so: HashSet<&'static str>,
    pub about: HashSet<&'static str>,
    pub about_that: HashSet<&'static str>,
    pub about_doing: HashSet<&'static str>,
}

pub(super) static AROUND: LazyLock<FeelingModifiers> = LazyLock::new(|| {
    let mut sections = listed_words(List::AroundFeelings);
    let mut take = |name| sections.remove(name).unwrap_or_default();
    FeelingModifiers {
        feeling: take("feeling"),
        being: take("being"),
        much: take("much"),
        little: take("little"),
        denial: take("denial"),
        others: take("others"),
        own: take("own"),
        own_things: take("own things"),
        as_things: take("as a thing"),
        bringing: take("bringing"),
        days: take("days"),
        unreal: take("unreal"),
        wishing: take("wishing"),
        wished: take("wished"),
        supposing: take("supposing"),
        not_so: take("not so"),
        about: take("about"),
        about_that: take("about that"),
        about_doing: take("about doing"),
    }
});
