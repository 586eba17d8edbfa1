//! The Vietnamese lunar calendar: months start on the day of the new moon at UTC+7, and a month without a solar term is
//! a leap month.
//!
//! After Ho Ngoc Duc, "Thuật toán tính âm lịch", with new moons and solar longitude by Meeus, "Astronomical Algorithms"
//! (1998).

use std::f64::consts::PI;

use jiff::{Span, civil::Date};

/// Days between new moons on average.
const MONTH: f64 = 29.530_588_853;
/// Julian day of the new moon with number 0, 1 January 1900.
const FIRST_NEW_MOON: f64 = 2_415_021.076_998_695;
/// Julian day of 1 January 1970.
const EPOCH: i64 = 2_440_588;
/// UTC offset of Vietnam, in days.
const ZONE: f64 = 7.0 / 24.0;

/// The day of a lunar date; `None` if that month has no 30th day. Of a leap month pair, the first. A few microseconds.
pub(super) fn to_solar(year: i16, month: i8, day: i8) -> Option<Date> {
    let before = if month < 11 { year.checked_sub(1)? } else { year };
    let (eleventh, next) = (eleventh_month(before)?, eleventh_month(before.checked_add(1)?)?);
    let first = (0.5 + (eleventh as f64 - FIRST_NEW_MOON) / MONTH).floor() as i64;
    let mut offset = (i64::from(month) + 1) % 12;
    if next - eleventh > 365 && offset >= leap_offset(first) {
        offset += 1;
    }
    day_of(first + offset, day)
}

/// The day of that number in the lunar month `offset` months from that of a date.
pub(super) fn near(date: Date, offset: i64, day: i8) -> Option<Date> {
    let today = julian(date)?;
    let mut month = ((today as f64 - FIRST_NEW_MOON) / MONTH).floor() as i64 + 1;
    while new_moon(month) > today {
        month -= 1;
    }
    day_of(month + offset, day)
}

fn day_of(month: i64, day: i8) -> Option<Date> {
    let (start, end) = (new_moon(month), new_moon(month + 1));
    let wanted = start + i64::from(day) - 1;
    let date = || Date::constant(1970, 1, 1).checked_add(Span::new().try_days(wanted - EPOCH).ok()?).ok();
    (wanted < end).then(date)?
}

fn julian(date: Date) -> Option<i64> {
    let days = Date::constant(1970, 1, 1).until(date).ok()?.get_days();
    Some(EPOCH + i64::from(days))
}

/// The first day of the eleventh month, which contains the winter solstice.
fn eleventh_month(year: i16) -> Option<i64> {
    let off = julian(Date::new(year, 12, 31).ok()?)? - 2_415_021;
    let month = (off as f64 / MONTH).floor() as i64;
    let start = new_moon(month);
    Some(if solar_term(start) >= 9 { new_moon(month - 1) } else { start })
}

/// Number of months from the eleventh to the leap month.
fn leap_offset(eleventh: i64) -> i64 {
    let term = |offset: i64| solar_term(new_moon(eleventh + offset));
    (2..14).find(|offset| term(*offset) == term(offset - 1)).map_or(13, |offset| offset - 1)
}

/// The sector (of twelve) of the solar longitude at the start of a day.
fn solar_term(julian: i64) -> i64 {
    let t = (julian as f64 - 0.5 - ZONE - 2_451_545.0) / 36_525.0;
    let sin = |degrees: f64| degrees.to_radians().sin();
    let mean = 357.529_10 + 35_999.050_30 * t - 0.000_155_9 * t * t - 0.000_000_48 * t.powi(3);
    let longitude = 280.466_45 + 36_000.769_83 * t + 0.000_303_2 * t * t;
    let center = (1.914_600 - 0.004_817 * t - 0.000_014 * t * t) * sin(mean)
        + (0.019_993 - 0.000_101 * t) * sin(2.0 * mean)
        + 0.000_290 * sin(3.0 * mean);
    ((longitude + center).to_radians().rem_euclid(2.0 * PI) / PI * 6.0).floor() as i64
}

/// The Julian day, in Vietnam, of the new moon with this number.
fn new_moon(number: i64) -> i64 {
    let k = number as f64;
    let t = k / 1_236.85;
    let (t2, t3) = (t * t, t * t * t);
    let sin = |degrees: f64| degrees.to_radians().sin();
    let mean = 2_415_020.759_33 + 29.530_588_68 * k + 0.000_117_8 * t2 - 0.000_000_155 * t3
        + 0.000_33 * sin(166.56 + 132.87 * t - 0.009_173 * t2);
    let sun = 359.224_2 + 29.105_356_08 * k - 0.000_033_3 * t2 - 0.000_003_47 * t3;
    let moon = 306.025_3 + 385.816_918_06 * k + 0.010_730_6 * t2 + 0.000_012_36 * t3;
    let node = 21.296_4 + 390.670_506_46 * k - 0.001_652_8 * t2 - 0.000_002_39 * t3;
    let correction = (0.173_4 - 0.000_393 * t) * sin(sun) + 0.002_1 * sin(2.0 * sun) - 0.406_8 * sin(moon)
        + 0.016_1 * sin(2.0 * moon)
        - 0.000_4 * sin(3.0 * moon)
        + 0.010_4 * sin(2.0 * node)
        - 0.005_1 * sin(sun + moon)
        - 0.007_4 * sin(sun - moon)
        + 0.000_4 * sin(2.0 * node + sun)
        - 0.000_4 * sin(2.0 * node - sun)
        - 0.000_6 * sin(2.0 * node + moon)
        + 0.001_0 * sin(2.0 * node - moon)
        + 0.000_5 * sin(2.0 * moon + sun);
    let clock = if t < -11.0 {
        0.001 + 0.000_839 * t + 0.000_226_1 * t2 - 0.000_008_45 * t3 - 0.000_000_081 * t * t3
    } else {
        -0.000_278 + 0.000_265 * t + 0.000_262 * t2
    };
    (mean + correction - clock + 0.5 + ZONE).floor() as i64
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn new_years_days_are_those_of_the_almanac() {
        // 1985 and 2007 differ from the Chinese calendar by a month and by a day.
        let known = [
            (1968, date(1968, 1, 29)),
            (1985, date(1985, 1, 21)),
            (2000, date(2000, 2, 5)),
            (2007, date(2007, 2, 17)),
            (2023, date(2023, 1, 22)),
            (2024, date(2024, 2, 10)),
            (2025, date(2025, 1, 29)),
            (2026, date(2026, 2, 17)),
            (2030, date(2030, 2, 2)),
        ];
        for (year, day) in known {
            assert_eq!(to_solar(year, 1, 1), Some(day), "{year}");
        }
    }

    #[test]
    fn days_of_other_months_and_after_a_leap_month() {
        assert_eq!(to_solar(2025, 8, 15), Some(date(2025, 10, 6)), "after the leap sixth month");
        assert_eq!(to_solar(2026, 1, 15), Some(date(2026, 3, 3)));
        assert_eq!(to_solar(2025, 12, 23), Some(date(2026, 2, 10)));
        assert_eq!(near(date(2026, 2, 25), 0, 4), Some(date(2026, 2, 20)));
        assert_eq!(near(date(2026, 2, 17), 0, 1), Some(date(2026, 2, 17)));
        assert_eq!(near(date(2026, 2, 16), 1, 1), Some(date(2026, 2, 17)));
    }

    #[test]
    fn no_day_of_any_year_breaks_it() {
        for year in (-9000..9990).step_by(97) {
            for month in 1..=12 {
                to_solar(year, month, 30);
            }
        }
        assert_eq!(near(Date::MAX, 9, 30), None);
        near(Date::MIN, -9, 1);
    }
}
