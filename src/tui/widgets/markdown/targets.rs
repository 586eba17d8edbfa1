//! Targets of links in the user's text: addresses, and paths of images and attachments.

/// Addresses that are links without markup.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];

/// Every target once, in text order: `[text](target)`, `![image](target)`, and plain addresses.
pub fn targets(body: &str) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for (at, open) in body.match_indices("](") {
        let start = at + open.len();
        let Some(end) = body[start..].find([')', '\n']).filter(|end| body[start + end..].starts_with(')')) else {
            continue;
        };
        // What follows a space is the title of the link.
        let target = body[start..start + end].split_whitespace().next().unwrap_or_default();
        found.push((start, target.trim_matches(['<', '>']).to_owned()));
    }
    for scheme in SCHEMES {
        for (at, _) in body.match_indices(scheme) {
            let rest = &body[at..];
            let end = rest
                .find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | ')' | ']'))
                .unwrap_or(rest.len());
            found.push((at, rest[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'']).to_owned()));
        }
    }
    found.sort();
    let mut targets: Vec<String> = Vec::new();
    for (_, target) in found {
        if !target.is_empty() && !target.starts_with('#') && !targets.contains(&target) {
            targets.push(target);
        }
    }
    targets
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
            "notes/x",
            "http://example.org/b",
            "mailto:linh@example.org",
        ];
        assert_eq!(targets(body), wanted);
        assert!(targets("no [link] (here), [torn](a\nb) [[Name]] [x](#part)").is_empty());
        assert!(is_address("https://example.org") && !is_address("attachments/https.png"));
    }
}
