//! Why a hit is a hit, in one sentence, and the figures behind it.

use crate::{
    index::vector::Scan,
    search::{Found, Hit, LegShare},
    tui::{Role, Styled, cells},
};

/// Cells of a quoted passage.
const QUOTE: usize = 60;

/// `why this one: the words "stressed", "work" (k1); close in meaning to "…" (m3); Hùng — Project X (c2);
/// alike: pup ~ dog`.
pub fn sentence(hit: &Hit) -> Styled {
    let mut line = Styled::of("why this one: ", Role::Dim);
    let mut first = true;
    let mut part = |line: &mut Styled, text: &str, role: Role, letter: char, share: LegShare| {
        if !std::mem::take(&mut first) {
            line.push("; ", Role::Dim);
        }
        line.push(text, role).push(&format!(" ({letter}{})", share.rank), Role::Dim);
    };
    if let Some(share) = hit.legs.keyword {
        let words: Vec<_> = hit.reason.words.iter().map(|word| format!("\"{word}\"")).collect();
        let text = match words.as_slice() {
            [] => "its words".to_owned(),
            [word] => format!("the word {word}"),
            words => format!("the words {}", words.join(", ")),
        };
        part(&mut line, &text, Role::LegKeyword, 'k', share);
    }
    if let Some(share) = hit.legs.vector {
        let passage = hit.reason.passage.clone().and_then(|range| hit.text.get(range)).unwrap_or(&hit.text);
        let flowing = passage.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = format!("close in meaning: \"{}\"", cells::truncate(&flowing, QUOTE));
        part(&mut line, &text, Role::LegMeaning, 'm', share);
    }
    if let Some(share) = hit.legs.graph {
        let text = if hit.reason.path.is_empty() { "a connection".to_owned() } else { hit.reason.path.join(" — ") };
        part(&mut line, &text, Role::LegConnection, 'c', share);
    }
    if !hit.reason.alike.is_empty() {
        let pairs: Vec<_> = hit.reason.alike.iter().map(|(asked, there)| format!("{asked} ~ {there}")).collect();
        line.push(if first { "alike: " } else { "; alike: " }, Role::Dim).push(&pairs.join(", "), Role::LegMeaning);
    }
    line
}

/// The figures: each leg's rank and score, what they came to, how the vectors were read.
pub fn figures(hit: &Hit, found: &Found) -> Vec<Styled> {
    let mut lines = Vec::new();
    for (name, share, role) in [
        ("word", hit.legs.keyword, Role::LegKeyword),
        ("meaning", hit.legs.vector, Role::LegMeaning),
        ("connection", hit.legs.graph, Role::LegConnection),
    ] {
        let mut line = Styled::of(&cells::pad(name, 12), role);
        match share {
            Some(share) => line.push(&format!("rank {:<4} score {:.3}", share.rank, share.score), Role::Text),
            None => line.push("not among its candidates", Role::Dim),
        };
        lines.push(line);
    }
    if let Some(likeness) = hit.reason.likeness {
        let of = "of 1: the query's words, or words like them";
        lines.push(figure("likeness", &format!("{likeness:.3}"), of));
    }
    if let Some(likeness) = hit.reason.in_sentence {
        lines.push(figure(
            "sentence",
            &format!("{likeness:.3}"),
            "of 1: the query's words, as the model reads them there",
        ));
    }
    if hit.reason.beside > 0.0 {
        lines.push(figure("beside", &format!("+{:.3}", hit.reason.beside), "for better hits near it on its day"));
    }
    if hit.reason.tells_when > 0.0 {
        lines.push(figure("tells when", &format!("+{:.3}", hit.reason.tells_when), "for a day or a time in it"));
    }
    if hit.reason.several > 0.0 {
        lines.push(figure(
            "one of several",
            &format!("+{:.3}", hit.reason.several),
            "about the name, in words like yours",
        ));
    }
    if hit.reason.asks > 0.0 {
        lines.push(figure("asks", &format!("-{:.3}", hit.reason.asks), "a question, as yours is"));
    }
    let mut line = Styled::of(&cells::pad("together", 12), Role::Title).and(&format!("{:.3}", hit.score), Role::Text);
    match found.scan {
        Some(Scan::Exact) => line.push("   every vector compared", Role::Dim),
        Some(Scan::Hnsw) => line.push("   vectors by HNSW", Role::Dim),
        None => &mut line,
    };
    lines.push(line);
    lines
}

/// `likeness    0.720   of 1`.
fn figure(name: &str, value: &str, meaning: &str) -> Styled {
    Styled::of(&cells::pad(name, 12), Role::Dim).and(value, Role::Text).and(&format!("   {meaning}"), Role::Dim)
}
