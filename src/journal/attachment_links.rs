//! Links to files in the markdown of an entry: attachments, and images of the user that are not in the journal yet.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag};

use super::folders::ATTACHMENTS;

/// Number of hex digits at the start of the name of an attachment.
pub(super) const DIGITS: usize = 16;

/// The attachments that a text links, as paths relative to the journal's folder, each once, in text order.
pub fn attachments_in(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    if !text.contains(ATTACHMENTS) {
        return found;
    }
    for event in Parser::new_ext(text, Options::ENABLE_WIKILINKS | Options::ENABLE_TABLES) {
        if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
            let path = attachment_path(&dest_url);
            found.extend(path.filter(|path| !found.contains(path)));
        }
    }
    found
}

/// The path of an attachment relative to the journal's folder, if a link leads to one. A day file may also name it by
/// its own place: `../attachments/x.png`.
pub fn attachment_path(target: &str) -> Option<String> {
    let mut path = target;
    while let Some(rest) = path.strip_prefix("../").or_else(|| path.strip_prefix("./")) {
        path = rest;
    }
    let name = decoded(path.strip_prefix(ATTACHMENTS)?.strip_prefix('/')?);
    let is_inside = !name.contains(['\\', '\0']) && name.split('/').all(|part| !matches!(part, "" | "." | ".."));
    is_inside.then(|| format!("{ATTACHMENTS}/{name}"))
}

/// A target without percent encoding; unchanged if the result is no text.
pub fn decoded(target: &str) -> String {
    let mut bytes = Vec::with_capacity(target.len());
    let mut rest = target.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = (*first == b'%').then(|| u8::from_str_radix(target_part(after)?, 16).ok()).flatten();
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| target.to_owned())
}

fn target_part(bytes: &[u8]) -> Option<&str> {
    let digits = bytes.get(..2)?;
    std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The first digits of every name of an attachment in these bytes, in any syntax, also in code and comments.
pub(super) fn digits_in(bytes: &[u8]) -> impl Iterator<Item = &str> {
    memchr::memchr_iter(b'-', bytes).filter_map(|end| {
        let digits = bytes.get(end.checked_sub(DIGITS)?..end)?;
        let is_start = end == DIGITS || !bytes[end - DIGITS - 1].is_ascii_alphanumeric();
        (is_start && digits.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')))
            .then(|| std::str::from_utf8(digits).ok())?
    })
}

/// The text with other targets for its images; `None` if `replace` returns none. Only images that are written out
/// (`![alt](target)`) are asked for; titles and alternative texts stay.
pub fn with_image_targets(text: &str, mut replace: impl FnMut(&str) -> Option<String>) -> Option<String> {
    let mut changed = String::with_capacity(text.len());
    let mut at = 0;
    for (event, span) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let Event::Start(Tag::Image { link_type: LinkType::Inline, dest_url, .. }) = event else { continue };
        let Some((written, place)) = target_of(text, span, &dest_url).filter(|(_, place)| place.start >= at) else {
            continue;
        };
        // Markdown reads `\_` in a path of Windows as `_`.
        let is_of_windows = written.as_bytes().get(1..3) == Some(b":\\");
        if let Some(target) = replace(if is_of_windows { written } else { &dest_url }) {
            changed.push_str(&text[at..place.start]);
            changed.push_str(&target);
            at = place.end;
        }
    }
    changed.push_str(&text[at..]);
    (at > 0).then_some(changed)
}

/// The text with something else in place of whole links to attachments, by their paths; those for which `replace`
/// returns none stay.
pub fn with_links_replaced(text: &str, mut replace: impl FnMut(&str) -> Option<String>) -> String {
    replaced(text, Options::ENABLE_TABLES, |event, _| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => replace(&attachment_path(dest_url)?),
        _ => None,
    })
}

/// The text with something else in place of the embeds of Obsidian, by what is between their brackets: `a.png|300`.
pub fn with_embeds_replaced(text: &str, mut replace: impl FnMut(&str) -> Option<String>) -> String {
    replaced(text, Options::ENABLE_TABLES | Options::ENABLE_WIKILINKS, |event, written| match event {
        Event::Start(Tag::Image { link_type: LinkType::WikiLink { .. }, .. }) => {
            replace(written.strip_prefix("![[")?.strip_suffix("]]")?)
        }
        _ => None,
    })
}

/// The text with something else in place of the elements for which `replace` returns it.
fn replaced(text: &str, options: Options, mut replace: impl FnMut(&Event<'_>, &str) -> Option<String>) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut at = 0;
    for (event, span) in Parser::new_ext(text, options).into_offset_iter() {
        if span.start >= at
            && let Some(other) = replace(&event, &text[span.clone()])
        {
            changed.push_str(&text[at..span.start]);
            changed.push_str(&other);
            at = span.end;
        }
    }
    changed.push_str(&text[at..]);
    changed
}

/// An image's target as it is written, and its bytes with its brackets. `None` where the title or the alternative text holds brackets
/// that make it uncertain.
fn target_of<'t>(text: &'t str, image: Range<usize>, target: &CowStr<'_>) -> Option<(&'t str, Range<usize>)> {
    let start = image.start + text[image.clone()].rfind("](")? + 2;
    let rest = &text[start..image.end];
    let start = start + (rest.len() - rest.trim_start().len());
    let rest = &text[start..image.end];
    let (written, length) = match rest.strip_prefix('<') {
        Some(inner) => (&inner[..inner.find('>')?], inner.find('>')? + 2),
        None => {
            let end = rest.find(|c: char| c.is_whitespace()).unwrap_or(rest.len() - 1);
            (&rest[..end], end)
        }
    };
    let is_same = written == &**target || written.replace('\\', "") == target.replace('\\', "");
    is_same.then_some((written, start..start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linked_attachments_are_found_once_and_only_inside_the_folder() {
        let text = "![a](attachments/0f-a.png) and [b](../attachments/b%20c.pdf \"the plan\"), ![a](attachments/0f-a.png)\n\
                    `![x](attachments/code.png)` [no](attachments/../memory/x.md) [no](https://example.org/attachments/x) \
                    [no](my-attachments/x) ![[attachments/wiki.png]]";
        assert_eq!(attachments_in(text), ["attachments/0f-a.png", "attachments/b c.pdf", "attachments/wiki.png"]);
        assert!(attachments_in("no [links](x.md)").is_empty());
    }

    #[test]
    fn names_of_attachments_are_recognised_in_any_syntax() {
        let text =
            b"x 0123456789abcdef-a.png (attachments/fedcba9876543210-b%20c) 00123456789abcdef-no 0123456789ABCDEF-no";
        assert_eq!(digits_in(text).collect::<Vec<_>>(), ["0123456789abcdef", "fedcba9876543210"]);
    }

    #[test]
    fn only_the_targets_of_images_change() {
        let text = "![a lake](/a/lake.png \"by [Linh](x)\") [link](/a/lake.png) ![](</a/b c.png>)\n![q][1] `![](/c)` ![p](/a/\\(d\\).png)\n\n[1]: /a/lake.png\n";
        let mut asked = Vec::new();
        let changed = with_image_targets(text, |target| {
            asked.push(target.to_owned());
            (target != "/a/lake.png").then(|| "new".to_owned())
        });
        assert_eq!(
            changed.unwrap(),
            "![a lake](/a/lake.png \"by [Linh](x)\") [link](/a/lake.png) ![](new)\n![q][1] `![](/c)` ![p](new)\n\n[1]: /a/lake.png\n"
        );
        assert_eq!(asked, ["/a/b c.png", "/a/(d).png"], "a title with a link of its own is left alone");
        assert_eq!(with_image_targets("![](./a.png)", |_| Some("b".to_owned())).unwrap(), "![](b)");
        assert_eq!(with_image_targets("no image", |_| Some("b".to_owned())), None);
        let of_windows = with_image_targets(r"![](C:\j\_a.png)", |target| {
            assert_eq!(target, r"C:\j\_a.png");
            Some("b".to_owned())
        });
        assert_eq!(of_windows.unwrap(), "![](b)");
    }
}
