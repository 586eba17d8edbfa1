//! Words of enum variants in files, filters and JSON.

/// Gives an enum `ALL`, `word` and `parse`, from its variants and their words.
macro_rules! words {
    ($name:ident: $($variant:ident $word:literal),+ $(,)?) => {
        impl $name {
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The word in files, filters and JSON.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|known| known.word() == word)
            }
        }
    };
}

pub(crate) use words;
