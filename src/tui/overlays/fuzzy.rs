//! Letters of a query in order anywhere in a text; the better the more they stand together and start words.

/// Higher is better; `None` where a letter is missing. `positions` are the matched letters (bytes of `text`).
pub fn score(query: &str, text: &str) -> Option<(i32, Vec<usize>)> {
    if let Some(found) = whole(query, text) {
        return Some(found);
    }
    let mut wanted = query.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).peekable();
    let (mut score, mut positions) = (0, Vec::new());
    let (mut run, mut before) = (0, ' ');
    for (at, letter) in text.char_indices() {
        let hit = wanted.peek().is_some_and(|wanted| letter.to_lowercase().eq(std::iter::once(*wanted)));
        if hit {
            wanted.next();
            positions.push(at);
            run += 1;
            score += run * 2 + if before.is_alphanumeric() { 0 } else { 5 };
        } else {
            run = 0;
        }
        before = letter;
    }
    wanted.peek().is_none().then_some((score - text.len() as i32 / 20, positions))
}

/// The query standing in the text as it is: always before what is only scattered over it.
fn whole(query: &str, text: &str) -> Option<(i32, Vec<usize>)> {
    let query: Vec<char> = query.trim().chars().flat_map(char::to_lowercase).collect();
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let same = |window: &[(usize, char)]| {
        window.iter().zip(&query).all(|((_, letter), wanted)| letter.to_lowercase().eq(std::iter::once(*wanted)))
    };
    let starts_word = |nth: usize| nth == 0 || !letters[nth - 1].1.is_alphanumeric();
    let found = letters.windows(query.len().max(1)).enumerate().filter(|(_, window)| same(window));
    let (nth, window) = found.min_by_key(|(nth, _)| (!starts_word(*nth), *nth)).filter(|_| !query.is_empty())?;
    let score = 1000 + if starts_word(nth) { 500 } else { 0 } - nth as i32;
    Some((score, window.iter().map(|(at, _)| *at).collect()))
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn letters_in_order_and_word_starts_first() {
        assert!(score("xyz", "Delete the entry").is_none());
        let (start, _) = score("del", "Delete the entry").unwrap();
        let (inside, _) = score("del", "Show the model").unwrap();
        assert!(start > inside);
        assert_eq!(score("", "anything").unwrap().1, Vec::<usize>::new());
    }
}
