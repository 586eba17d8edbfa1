//! List continuation: Enter inside a list adds an item; on an empty item it ends the list.

use super::{Editor, Pos};

impl Editor {
    /// Inserts a line break, with the marker of the next list item if the caret is in one.
    pub(super) fn break_line(&mut self) {
        let line = self.buffer.line(self.caret.line);
        let fences = self.buffer.lines()[..self.caret.line].iter().filter(|line| line.trim_start().starts_with("```"));
        let is_prose = self.selection().is_none() && fences.count() % 2 == 0;
        match item(line).filter(|(mark, _)| is_prose && self.caret.byte >= *mark) {
            Some((mark, _)) if mark == line.len() => {
                let start = Pos { line: self.caret.line, byte: 0 };
                self.replace(start, self.caret, "");
            }
            Some((_, next)) => self.insert(&format!("\n{next}")),
            None => self.insert("\n"),
        }
    }
}

/// The start of the text in a list item or quote, and the marker of the next item.
fn item(line: &str) -> Option<(usize, String)> {
    let body = line.trim_start_matches([' ', '\t']);
    let indent = &line[..line.len() - body.len()];
    let is_rule = |sign: char| body.trim_matches([sign, ' ']).is_empty() && body.matches(sign).count() > 2;
    if is_rule('*') || is_rule('-') {
        return None;
    }
    for mark in ["- [ ] ", "- [x] ", "- [X] ", "- ", "* ", "+ ", "> "] {
        if body.starts_with(mark) {
            let next = if mark.contains('[') { "- [ ] " } else { mark };
            return Some((indent.len() + mark.len(), format!("{indent}{next}")));
        }
    }
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    // Years and long numbers at the start of a line are no list.
    let number: u32 = body.get(..digits).filter(|digits| digits.len() <= 3)?.parse().ok()?;
    let sign = body[digits..].chars().next().filter(|sign| matches!(sign, '.' | ')'))?;
    body[digits + 1..].starts_with(' ').then(|| (indent.len() + digits + 2, format!("{indent}{}{sign} ", number + 1)))
}

#[cfg(test)]
mod tests {
    use crate::tui::{key::Key, widgets::editor::Editor};

    fn after_enter(text: &str) -> String {
        let mut editor = Editor::new(text);
        editor.key("enter".parse::<Key>().unwrap());
        editor.text()
    }

    #[test]
    fn lists_go_on_and_end() {
        assert_eq!(after_enter("- milk"), "- milk\n- ");
        assert_eq!(after_enter("  - [x] bread"), "  - [x] bread\n  - [ ] ");
        assert_eq!(after_enter("9) nine"), "9) nine\n10) ");
        assert_eq!(after_enter("- milk\n- "), "- milk\n");
        assert_eq!(after_enter("```\nls\n```\n- milk"), "```\nls\n```\n- milk\n- ");
    }

    #[test]
    fn other_lines_just_break() {
        for text in
            ["", "milk", "-5 degrees", "1984. A year", "5.30 am", "---", "* * *", "- - -", "```\n- a", "```\n1. a"]
        {
            assert_eq!(after_enter(text), format!("{text}\n"));
        }
    }
}
