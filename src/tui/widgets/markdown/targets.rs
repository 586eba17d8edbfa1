//! Targets of links in the user's text: addresses, and paths of images and attachments.

use std::ops::Range;

use jiff::civil;
use pulldown_cmark::{Event, LinkType, Parser, Tag};

/// Addresses that are links without markup.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];

/// Every target once, in text order.
pub fn targets(body: &str) -> Vec<String> {
    let mut targets: Vec<String> = Vec::new();
    for (_, target) in spans(body) {
        if !target.is_empty() && !target.starts_with('#') && !targets.contains(&target) {
            targets.push(target);
        }
    }
    targets
}

/// The day that a target leads to: `2026-11-26`, or the path of its day file.
pub fn day(target: &str) -> Option<civil::Date> {
    let path = target.split('#').next().unwrap_or(target);
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.strip_suffix(".md").unwrap_or(name);
    name.parse().ok().filter(|_| name.len() == "2026-11-26".len() && !is_address(target))
}

/// Targets with their place, in text order: links and images as they are shown, plain addresses outside of them, and
/// days in `[[ ]]`.
pub fn spans(body: &str) -> Vec<(Range<usize>, String)> {
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    for (event, span) in Parser::new_ext(body, super::flow::OPTIONS).into_offset_iter() {
        if let Event::Start(Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. }) = event {
            let scheme = if link_type == LinkType::Email { "mailto:" } else { "" };
            found.push((span, format!("{scheme}{dest_url}")));
        }
    }
    let links = found.len();
    for scheme in SCHEMES {
        for (at, _) in body.match_indices(scheme) {
            if !found[..links].iter().any(|(link, _)| link.contains(&at)) {
                let address = plain_address(&body[at..]);
                found.push((at..at + address.len(), address.to_owned()));
            }
        }
    }
    for (at, open) in body.match_indices("[[") {
        let inside = &body[at + open.len()..];
        let name = inside.split("]]").next().filter(|name| day(name).is_some());
        found.extend(name.map(|name| (at..at + name.len() + 4, name.to_owned())));
    }
    found.sort_by_key(|(span, _)| span.start);
    found
}

/// The address that a text starts with, without the punctuation of the sentence around it: a closing bracket is part
/// of the address only if it is opened there.
fn plain_address(text: &str) -> &str {
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | ']')).unwrap_or(text.len());
    let mut address = &text[..end];
    loop {
        let is_closed_outside = address.matches(')').count() > address.matches('(').count();
        let shorter = address.strip_suffix(['.', ',', ';', ':', '!', '?', '\'', '*', '_']);
        match shorter.or_else(|| address.strip_suffix(')').filter(|_| is_closed_outside)) {
            Some(shorter) => address = shorter,
            None => return address,
        }
    }
}

/// Whether a target is an address, not a path.
pub fn is_address(target: &str) -> bool {
    SCHEMES.iter().any(|scheme| target.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_images_and_plain_addresses_are_found_in_order() {
        let body = "See https://example.org/a, then ![the lake](attachments/lake.jpg \"by Linh\")\nand [a page](<notes/x y.md>) \
                    or (http://example.org/b). Write to mailto:linh@example.org! Again https://example.org/a.";
        let wanted = [
            "https://example.org/a",
            "attachments/lake.jpg",
            "notes/x y.md",
            "http://example.org/b",
            "mailto:linh@example.org",
        ];
        assert_eq!(targets(body), wanted);
        assert!(targets("no [link] (here), [torn](a\nb) [[Name]] [x](#part)").is_empty());
        let body = "A [page](https://en.wikipedia.org/wiki/A_(b)), https://en.wikipedia.org/wiki/C_(d)), (see \
                    http://example.org/e?f=(g).) and [one][1]; <linh@example.org>, `[no](code)`.\n\n[1]: notes/h%20i.md";
        let wanted = [
            "https://en.wikipedia.org/wiki/A_(b)",
            "https://en.wikipedia.org/wiki/C_(d)",
            "http://example.org/e?f=(g)",
            "notes/h%20i.md",
            "mailto:linh@example.org",
        ];
        assert_eq!(targets(body), wanted);
        assert!(is_address("https://example.org") && !is_address("attachments/https.png"));
    }

    #[test]
    fn a_link_may_lead_to_a_day() {
        let body = "See [[2026-11-26]], [day](../2026/2026-11-25.md#x), [[Linh]] and [page](notes.md).";
        let found = targets(body);
        assert_eq!(found, ["2026-11-26", "../2026/2026-11-25.md#x", "notes.md"]);
        let days: Vec<_> = found.iter().map(|target| day(target).map(|day| day.to_string())).collect();
        assert_eq!(days, [Some("2026-11-26".to_owned()), Some("2026-11-25".to_owned()), None]);
        assert!(day("https://example.org/2026-11-26").is_none() && day("20261126").is_none());
    }
}
