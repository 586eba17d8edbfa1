//! Letters to one command, or to the wish for more of them. Knows no text.

/// What letters come to.
#[derive(Debug, PartialEq, Eq)]
pub enum Parse {
    More,
    /// They mean nothing: forgotten.
    Nothing,
    Do(Command),
}

/// `3d2w`: a count of 6, the operator `d`, the motion `w`.
#[derive(Debug, PartialEq, Eq)]
pub struct Command {
    pub count: Option<usize>,
    pub operator: Option<char>,
    pub what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Motion(Motion),
    /// `dd`, `yy`: lines.
    Lines,
    /// `iw`, `aw`, `ip`, `ap`.
    Object {
        around: bool,
        of: char,
    },
    /// A letter that does something by itself; over a selection also the operators.
    Act(char),
    /// `r` and the letter to put.
    Replace(char),
    /// `ZZ`, `ZQ`.
    End(char),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    Plain(char),
    /// `gg`.
    Top,
    /// `gj`, `gk`: rows of the screen.
    Row(char),
    /// The end of the word stood on; wide: as `E` has words. What `cw` means.
    OwnEnd {
        wide: bool,
    },
    /// `f`, `F`, `t`, `T` and the letter looked for.
    Find(char, char),
}

impl Command {
    /// Whether the dot may do it again; `selecting`: in a visual mode, where letters mean other things.
    pub fn changes(&self, selecting: bool) -> bool {
        match (self.operator, self.what) {
            (_, What::Act(letter)) if selecting => "dc><xsXDCJp~I".contains(letter),
            (Some('y'), _) => false,
            (Some(_), _) | (None, What::Replace(_)) => true,
            (None, What::Act(letter)) => "iIaAoOxXsSDCJpP~".contains(letter),
            (None, _) => false,
        }
    }
}

const OPERATORS: &str = "dcy><";
const PLAIN: &str = "hjklwbeWBE0^$G{};,+-";
const ACTS: &str = "iIaAoOvVxXsSDCYJpPu~.";
const ON_SELECTION: &str = "dcy><xsXDCYJp~oOvVI";

/// A count never makes the editor work for minutes.
const MOST: usize = 9_999;

/// `selecting`: in a visual mode, where operators wait for nothing.
pub fn parse(letters: &[char], selecting: bool) -> Parse {
    let (first, rest) = count(letters);
    let Some((letter, rest)) = rest.split_first() else { return Parse::More };
    if selecting {
        if matches!(letter, 'i' | 'a') {
            return object(*letter, rest, first, None);
        }
        if ON_SELECTION.contains(*letter) {
            return Parse::Do(Command { count: first, operator: None, what: What::Act(*letter) });
        }
    } else if OPERATORS.contains(*letter) {
        return operated(*letter, rest, first);
    } else if ACTS.contains(*letter) {
        return Parse::Do(Command { count: first, operator: None, what: What::Act(*letter) });
    } else if *letter == 'Z' {
        return match rest.first() {
            None => Parse::More,
            Some('Z' | 'Q') => Parse::Do(Command { count: first, operator: None, what: What::End(rest[0]) }),
            Some(_) => Parse::Nothing,
        };
    }
    if *letter == 'r' {
        return rest.first().map_or(Parse::More, |with| {
            Parse::Do(Command { count: first, operator: None, what: What::Replace(*with) })
        });
    }
    moved(*letter, rest, first, None)
}

/// A count at the front: a zero does not begin one.
fn count(letters: &[char]) -> (Option<usize>, &[char]) {
    if letters.first() == Some(&'0') {
        return (None, letters);
    }
    let figures = letters.iter().take_while(|letter| letter.is_ascii_digit()).count();
    let number = letters[..figures].iter().fold(0usize, |number, figure| {
        number.saturating_mul(10).saturating_add(figure.to_digit(10).unwrap_or(0) as usize)
    });
    ((figures > 0).then_some(number.clamp(1, MOST)), &letters[figures..])
}

fn operated(operator: char, rest: &[char], first: Option<usize>) -> Parse {
    let (second, rest) = count(rest);
    let count = match (first, second) {
        (None, None) => None,
        (a, b) => Some((a.unwrap_or(1) * b.unwrap_or(1)).min(MOST)),
    };
    match rest.split_first() {
        None => Parse::More,
        Some((letter, _)) if *letter == operator => {
            Parse::Do(Command { count, operator: Some(operator), what: What::Lines })
        }
        Some((letter @ ('i' | 'a'), rest)) => object(*letter, rest, count, Some(operator)),
        Some((letter, rest)) => moved(*letter, rest, count, Some(operator)),
    }
}

fn object(letter: char, rest: &[char], count: Option<usize>, operator: Option<char>) -> Parse {
    match rest.first() {
        None => Parse::More,
        Some(of @ ('w' | 'W' | 'p')) => {
            Parse::Do(Command { count, operator, what: What::Object { around: letter == 'a', of: *of } })
        }
        Some(_) => Parse::Nothing,
    }
}

fn moved(letter: char, rest: &[char], count: Option<usize>, operator: Option<char>) -> Parse {
    let motion = match (letter, rest.first()) {
        (plain, _) if PLAIN.contains(plain) => Motion::Plain(plain),
        ('g' | 'f' | 'F' | 't' | 'T', None) => return Parse::More,
        ('g', Some('g')) => Motion::Top,
        ('g', Some(row @ ('j' | 'k'))) => Motion::Row(*row),
        ('f' | 'F' | 't' | 'T', Some(sought)) => Motion::Find(letter, *sought),
        _ => return Parse::Nothing,
    };
    Parse::Do(Command { count, operator, what: What::Motion(motion) })
}
