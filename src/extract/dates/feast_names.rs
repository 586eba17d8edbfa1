//! Names of feasts and lunar days in English and Vietnamese.

use jiff::civil::Weekday;

use super::{
    day::Floating,
    holidays::Holiday::{self, AfterThanksgiving, Days, Easter, Lunar, LunarEve, Nth, On},
    token::Reader,
    vocabulary::{vietnamese_month, vietnamese_number},
};

/// Folded names of each holiday; a longer one precedes its prefixes. Mother's Day is left out: Britain and America have
/// different days.
const NAMES: &[(&[&str], Holiday)] = &[
    (&["christmas eve", "xmas eve"], On(12, 24)),
    (&["christmas day", "xmas day", "christmas", "xmas"], On(12, 25)),
    (&["boxing day"], On(12, 26)),
    (&["new year's eve", "new years eve", "nye"], On(12, 31)),
    (&["new year's day", "new years day"], On(1, 1)),
    (&["burns night"], On(1, 25)),
    (&["valentine's day", "valentines day", "valentine's", "valentine"], On(2, 14)),
    (&["st patrick's day"], On(3, 17)),
    (&["april fool's day", "april fools day"], On(4, 1)),
    (&["halloween"], On(10, 31)),
    (&["bonfire night", "guy fawkes night"], On(11, 5)),
    (&["remembrance day"], On(11, 11)),
    (&["remembrance sunday"], Nth(11, 2, Weekday::Sunday)),
    (&["father's day", "fathers day"], Nth(6, 3, Weekday::Sunday)),
    (&["thanksgiving"], Nth(11, 4, Weekday::Thursday)),
    (&["black friday"], AfterThanksgiving),
    (&["labor day"], Nth(9, 1, Weekday::Monday)),
    (&["memorial day"], Nth(5, -1, Weekday::Monday)),
    (&["shrove tuesday", "pancake day"], Easter(-47)),
    (&["ash wednesday"], Easter(-46)),
    (&["palm sunday"], Easter(-7)),
    (&["good friday"], Easter(-2)),
    (&["easter saturday"], Easter(-1)),
    (&["easter monday"], Easter(1)),
    (&["easter sunday", "easter"], Easter(0)),
    (&["tet trung thu", "trung thu"], Lunar(8, 15, 1)),
    (&["ba ngay tet"], Lunar(1, 1, 3)),
    (&["gio to hung vuong", "gio to"], Lunar(3, 10, 1)),
    (&["tet doan ngo"], Lunar(5, 5, 1)),
    (&["tet duong lich", "tet tay"], On(1, 1)),
    (&["tet nguyen dan", "tet"], Lunar(1, 1, 3)),
    (&["giao thua"], LunarEve),
    (&["vu lan"], Lunar(7, 15, 1)),
    (&["noel"], Days(12, 24, 2)),
    (&["le giang sinh", "giang sinh"], On(12, 25)),
];

/// `Christmas Eve`, `giao thừa`, `27 Tết`, `mùng 2 Tết`, `rằm tháng bảy`, `mùng 4`, `23 tháng Chạp`.
pub(super) fn holiday(r: &mut Reader<'_>) -> Option<Floating> {
    if let Some((_, holiday)) = NAMES.iter().find(|(names, _)| r.any_phrase(names).is_some()) {
        return Some(Floating::Holiday(*holiday));
    }
    if r.phrase("bank holiday monday").is_some() {
        return Some(Floating::BankHoliday);
    }
    lunar_day(r)
}

fn lunar_day(r: &mut Reader<'_>) -> Option<Floating> {
    r.attempt(|r| {
        let first_days = r.one_of(&["mung", "mong"]).is_some();
        let day = match first_days {
            true => i8::try_from(r.number(1..=2)?).ok().filter(|day| (1..=10).contains(day))?,
            false if r.one_of(&["ram"]).is_some() => 15,
            false => {
                let _ = r.one_of(&["ngay"]);
                let day = r.number(1..=2).or_else(|| above_twenty(r))?;
                let day = i8::try_from(day).ok().filter(|day| (1..=30).contains(day))?;
                let before_tet = day > 22 && r.one_of(&["tet"]).is_some();
                return Some(Floating::Holiday(match (before_tet, day) {
                    // The last day of the year, though many a year has only 29 in its last month.
                    (true, 30) => LunarEve,
                    (true, _) => Lunar(12, day, 1),
                    (false, _) => Lunar(lunar_month(r)?, day, 1),
                }));
            }
        };
        if first_days && r.one_of(&["tet"]).is_some() {
            return Some(Floating::Holiday(Lunar(1, day, 1)));
        }
        if first_days && r.one_of(&["duong"]).is_some() {
            let _ = r.one_of(&["lich"]);
            return Some(Floating::DayOfMonth(day));
        }
        if let Some(month) = lunar_month(r) {
            return Some(Floating::Holiday(Lunar(month, day, 1)));
        }
        match vietnamese_month(r) {
            None => Some(Floating::LunarDay(day)),
            Some(month) if !first_days => Some(Floating::Holiday(Lunar(month, day, 1))),
            Some(month) => of_either_calendar(r, month, day),
        }
    })
}

/// Feasts that Vietnamese names by day and month of the solar calendar.
pub(super) const FEAST_DAYS: [(i8, i8); 6] = [(8, 3), (30, 4), (1, 5), (1, 6), (2, 9), (20, 11)];
/// The same of the lunar calendar.
const LUNAR_FEAST_DAYS: [(i8, i8); 3] = [(3, 3), (10, 3), (5, 5)];

/// `mùng 5 tháng 5` and `mùng 2 tháng 9`, each of which is a feast of one calendar; other days could be of either.
fn of_either_calendar(r: &mut Reader<'_>, month: i8, day: i8) -> Option<Floating> {
    let is_lunar = r.one_of(&["am"]).is_some();
    let _ = r.one_of(&["lich"]);
    match (day, month) {
        feast if is_lunar || LUNAR_FEAST_DAYS.contains(&feast) => Some(Floating::Holiday(Lunar(month, day, 1))),
        feast => FEAST_DAYS.contains(&feast).then_some(Floating::MonthDay(month, day)),
    }
}

/// `ba mươi`, `hai mươi ba`, `hai ba`.
fn above_twenty(r: &mut Reader<'_>) -> Option<u32> {
    r.attempt(|r| {
        if r.phrase("ba muoi").is_some() {
            return Some(30);
        }
        r.one_of(&["hai"])?;
        let _ = r.one_of(&["muoi"]);
        vietnamese_number(r).filter(|digit| *digit < 10).map(|digit| 20 + digit as u32)
    })
}

/// `tháng giêng` and `tháng chạp`, the first and the last month of the lunar year.
pub(super) fn lunar_month(r: &mut Reader<'_>) -> Option<i8> {
    r.attempt(|r| {
        r.one_of(&["thang"])?;
        match r.word()? {
            "gieng" => Some(1),
            "chap" => Some(12),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_hidden_by_a_shorter_one_before_it() {
        let names: Vec<&str> = NAMES.iter().flat_map(|(names, _)| names.iter().copied()).collect();
        for (at, name) in names.iter().enumerate() {
            let hides = |other: &&&str| name.starts_with(&format!("{other} "));
            assert_eq!(names[..at].iter().find(hides), None, "{name}");
        }
    }
}
