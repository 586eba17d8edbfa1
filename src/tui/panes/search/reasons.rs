//! The reasons for a hit, in one sentence, and the numbers behind it.

use super::legs::ROLES;
use crate::{
    index::vector::Scan,
    journal::{field_lines, prose},
    search::{
        Found, Hit,
        legs::{self, LegEvidence},
    },
    tui::{Role, Styled, cells},
};

/// Maximum width of a quoted passage in cells.
const QUOTE: usize = 60;

/// `why this one: the words "stressed", "work"; close in meaning: "…"; Hùng — Project X; alike: pup ~ dog`.
pub fn sentence(hit: &Hit) -> Styled {
    let mut line = Styled::of("why this one: ", Role::Dim);
    let mut first = true;
    for (leg, _, evidence) in legs::evidence(hit) {
        let text = match evidence {
            LegEvidence::Words([]) => "its words".to_owned(),
            LegEvidence::Words([word]) => format!("the word \"{word}\""),
            LegEvidence::Words(words) => format!("the words \"{}\"", words.join("\", \"")),
            LegEvidence::Passage(passage) => {
                let passage = passage.unwrap_or(&hit.text);
                let words = prose(&passage[field_lines(passage)..]);
                format!("close in meaning: \"{}\"", cells::truncate(&words, QUOTE))
            }
            LegEvidence::Path([]) => "a connection".to_owned(),
            LegEvidence::Path(names) => names.join(" — "),
        };
        if !std::mem::take(&mut first) {
            line.push("; ", Role::Dim);
        }
        line.push(&text, ROLES[leg]);
    }
    if !hit.reason.alike.is_empty() {
        let pairs: Vec<_> = hit.reason.alike.iter().map(|(asked, there)| format!("{asked} ~ {there}")).collect();
        line.push(if first { "alike: " } else { "; alike: " }, Role::Dim).push(&pairs.join(", "), Role::LegMeaning);
        first = false;
    }
    if first {
        line.push("the filters", Role::Dim);
    }
    line
}

/// The numbers: each leg's rank and score, the fused score, and the kind of vector scan.
pub fn figures(hit: &Hit, found: &Found) -> Vec<Styled> {
    let mut lines = Vec::new();
    for (leg, share) in hit.legs.iter() {
        let mut line = Styled::of(&cells::pad(leg.method(), 12), ROLES[leg]);
        match share {
            Some(share) => line.push(&format!("rank {:<4} score {:.3}", share.rank, share.score), Role::Text),
            None => line.push("not among its candidates", Role::Dim),
        };
        lines.push(line);
    }
    let reason = &hit.reason;
    let likenesses = [
        ("likeness", reason.likeness, "of 1: the query's words, or words like them"),
        ("sentence", reason.in_sentence, "of 1: the query's words, as the model reads them there"),
    ];
    let known = likenesses.into_iter().filter_map(|(name, likeness, of)| Some((name, format!("{:.3}", likeness?), of)));
    let bonuses = [
        ("beside", '+', reason.beside, "for better hits near it on its day"),
        ("tells when", '+', reason.tells_when, "for a day or a time in it"),
        ("one of several", '+', reason.several, "about the name, in words like yours"),
        ("asks", '-', reason.asks, "a question, as yours is"),
    ];
    let given = bonuses.into_iter().filter(|(.., bonus, _)| *bonus > 0.0);
    let given = given.map(|(name, sign, bonus, why)| (name, format!("{sign}{bonus:.3}"), why));
    lines.extend(known.chain(given).map(|(name, value, meaning)| figure(name, &value, meaning)));
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
