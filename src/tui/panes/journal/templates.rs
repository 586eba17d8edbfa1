//! The start of a new entry: a template picked from a list, or the question of the day.

use jiff::civil;

use super::Journal;
use crate::{
    journal::{Template, Templates},
    session::{Request, Ticket},
    tui::{
        Mouse, Pointed, UpdateContext,
        widgets::menu::{Menu, Row},
    },
};

/// The loaded templates, and the list to pick one from.
#[derive(Debug, Default)]
pub struct Picking {
    pub known: Templates,
    asked: Option<Ticket>,
    /// The time of the entry for which one is picked.
    when: civil::DateTime,
    pub menu: Option<Menu>,
}

impl Picking {
    /// Requests the templates again each time: the user may just have written one.
    pub fn ask(&mut self, cx: &mut UpdateContext<'_>) {
        self.asked = Some(cx.send(Request::Templates));
    }

    pub fn heard(&mut self, ticket: Ticket, templates: &Templates) {
        if self.asked.take_if(|asked| *asked == ticket).is_some() && self.known != *templates {
            self.known = templates.clone();
            let rows = self.rows();
            if let Some(menu) = &mut self.menu {
                menu.renew(rows);
            }
        }
    }

    fn rows(&self) -> Vec<Row> {
        let row = |template: &Template| {
            let filled = self.known.fill(template, self.when).text;
            let about = filled.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
            Row { name: template.name.clone(), about }
        };
        self.known.all.iter().map(row).collect()
    }
}

impl Journal {
    pub(super) fn is_picking(&self) -> bool {
        self.picking.menu.is_some()
    }

    pub(super) fn pick(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(composer) = &mut self.composer {
            composer.close_offers();
            self.picking.when = composer.when(&cx.now());
            self.picking.menu = Some(Menu::new("Begin with", self.picking.rows()));
            self.picking.ask(cx);
        }
    }

    pub(super) fn point_in_menu(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        match self.picking.menu.as_mut().map(|menu| menu.picker.point(mouse)) {
            Some(Pointed::Again) => self.take_template(cx),
            Some(Pointed::Away) => self.pick_none(cx),
            Some(Pointed::Moved | Pointed::Nothing) | None => {}
        }
    }

    pub(super) fn pick_none(&mut self, _: &mut UpdateContext<'_>) {
        self.picking.menu = None;
    }

    /// Fills the chosen template with the time of the entry and inserts it at the caret.
    pub(super) fn take_template(&mut self, _: &mut UpdateContext<'_>) {
        let Some(menu) = self.picking.menu.take() else { return };
        let known = &self.picking.known;
        if let (Some(template), Some(composer)) = (menu.chosen().and_then(|name| known.named(name)), &mut self.composer)
        {
            let filled = known.fill(template, self.picking.when);
            composer.begin_with(template, &filled);
        }
    }

    /// Inserts the question of the entry's day at the caret.
    pub(super) fn write_prompt(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(composer) = &mut self.composer {
            let day = composer.when(&cx.now()).date();
            composer.put_prompt(self.picking.known.prompt(day));
        }
    }
}
