use jiff::{Zoned, civil::date};
use proptest::prelude::*;

use super::*;

/// A Saturday.
fn now() -> Zoned {
    "2026-11-21T10:20:30+07:00[Asia/Ho_Chi_Minh]".parse().unwrap()
}

fn days(text: &str) -> String {
    range(text, &now()).map_or("none".into(), |r| format!("{}..{}", r.first, r.last))
}

fn time(text: &str) -> String {
    moment(text, &now()).map_or("none".into(), |m| m.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
}

#[track_caller]
fn ranges(table: &[(&str, &str)]) {
    let wrong: Vec<_> = table
        .iter()
        .map(|(text, expected)| (text, days(text), expected.to_string()))
        .filter(|(_, got, expected)| {
            *got != if expected.contains("..") || expected == "none" {
                expected.clone()
            } else {
                format!("{expected}..{expected}")
            }
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[track_caller]
fn moments(table: &[(&str, &str)]) {
    let wrong: Vec<_> = table
        .iter()
        .map(|(text, expected)| (text, time(text), expected))
        .filter(|(_, got, expected)| got != *expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn calendar_dates() {
    ranges(&[
        ("2026-02-22", "2026-02-22"),
        ("2026/2/3", "2026-02-03"),
        ("2026-02", "2026-02-01..2026-02-28"),
        ("2024-2", "2024-02-01..2024-02-29"),
        ("2026", "2026-01-01..2026-12-31"),
        ("2026-W08", "2026-02-16..2026-02-22"),
        ("22 Feb 2026", "2026-02-22"),
        ("22nd of February, 2026", "2026-02-22"),
        ("Feb 22, 2026", "2026-02-22"),
        ("Feb. 22 2026", "2026-02-22"),
        ("february the 22nd", "2026-02-22"),
        ("on 1 december", "2025-12-01"),
        ("29 february", "2024-02-29"),
        ("march 2024", "2024-03-01..2024-03-31"),
        ("in March", "2026-03-01..2026-03-31"),
        ("december", "2025-12-01..2025-12-31"),
        ("november", "2026-11-01..2026-11-30"),
        ("may", "2026-05-01..2026-05-31"),
        ("march last year", "2025-03-01..2025-03-31"),
        ("3/2024", "2024-03-01..2024-03-31"),
        ("q1 2024", "2024-01-01..2024-03-31"),
        ("the 1990s", "1990-01-01..1999-12-31"),
    ]);
}

#[test]
fn days_near_today() {
    ranges(&[
        ("today", "2026-11-21"),
        ("Yesterday", "2026-11-20"),
        ("tomorrow", "2026-11-22"),
        ("the day before yesterday", "2026-11-19"),
        ("saturday", "2026-11-21"),
        ("last saturday", "2026-11-14"),
        ("next saturday", "2026-11-28"),
        ("friday", "2026-11-20"),
        ("last friday", "2026-11-20"),
        ("sunday", "2026-11-15"),
        ("this sunday", "2026-11-22"),
        ("on friday last week", "2026-11-13"),
        ("3 days ago", "2026-11-18"),
        ("a week ago", "2026-11-09..2026-11-15"),
        ("two weeks ago", "2026-11-02..2026-11-08"),
        ("a month ago", "2026-10-01..2026-10-31"),
        ("in 3 days", "2026-11-24"),
        ("yesterday morning", "2026-11-20"),
        ("this evening", "2026-11-21"),
        ("last night", "2026-11-20"),
    ]);
}

#[test]
fn periods() {
    ranges(&[
        ("this week", "2026-11-16..2026-11-22"),
        ("last week", "2026-11-09..2026-11-15"),
        ("next week", "2026-11-23..2026-11-29"),
        ("last month", "2026-10-01..2026-10-31"),
        ("this month", "2026-11-01..2026-11-30"),
        ("last year", "2025-01-01..2025-12-31"),
        ("next year", "2027-01-01..2027-12-31"),
        ("last 7 days", "2026-11-15..2026-11-21"),
        ("the past 3 months", "2026-08-22..2026-11-21"),
        ("last weekend", "2026-11-14..2026-11-15"),
        ("this weekend", "2026-11-21..2026-11-22"),
        ("last spring", "2026-03-01..2026-05-31"),
        ("last autumn", "2025-09-01..2025-11-30"),
        ("this fall", "2026-09-01..2026-11-30"),
        ("autumn", "2026-09-01..2026-11-30"),
        ("last winter", "2025-12-01..2026-02-28"),
        ("winter 2023", "2023-12-01..2024-02-29"),
        ("summer 2024", "2024-06-01..2024-08-31"),
        ("summer of last year", "2025-06-01..2025-08-31"),
        ("last march", "2026-03-01..2026-03-31"),
        ("next march", "2027-03-01..2027-03-31"),
    ]);
}

#[test]
fn vietnamese_with_and_without_accents() {
    ranges(&[
        ("hôm nay", "2026-11-21"),
        ("hôm qua", "2026-11-20"),
        ("hom qua", "2026-11-20"),
        ("HÔM KIA", "2026-11-19"),
        ("ho\u{302}m qua", "2026-11-20"),
        ("ngày mai", "2026-11-22"),
        ("tuần trước", "2026-11-09..2026-11-15"),
        ("tuần này", "2026-11-16..2026-11-22"),
        ("tháng trước", "2026-10-01..2026-10-31"),
        ("tháng 3", "2026-03-01..2026-03-31"),
        ("tháng ba năm ngoái", "2025-03-01..2025-03-31"),
        ("tháng 3 năm ngoái", "2025-03-01..2025-03-31"),
        ("thang 3 nam ngoai", "2025-03-01..2025-03-31"),
        ("tháng 3/2024", "2024-03-01..2024-03-31"),
        ("tháng năm năm 2024", "2024-05-01..2024-05-31"),
        ("tháng mười hai", "2025-12-01..2025-12-31"),
        ("năm 2024", "2024-01-01..2024-12-31"),
        ("năm ngoái", "2025-01-01..2025-12-31"),
        ("năm nay", "2026-01-01..2026-12-31"),
        ("năm kia", "2024-01-01..2024-12-31"),
        ("3 ngày trước", "2026-11-18"),
        ("ba ngày trước", "2026-11-18"),
        ("cách đây 2 tuần", "2026-11-02..2026-11-08"),
        ("7 ngày qua", "2026-11-15..2026-11-21"),
        ("ngày 22 tháng 2 năm 2026", "2026-02-22"),
        ("22 tháng 2", "2026-02-22"),
        ("ngày 3/4/2024", "2024-04-03"),
        ("ngày 3/4", "2026-04-03"),
        ("thứ sáu", "2026-11-20"),
        ("thứ 6 tuần trước", "2026-11-13"),
        ("chủ nhật", "2026-11-15"),
        ("mùa hè năm ngoái", "2025-06-01..2025-08-31"),
        ("hè 2024", "2024-06-01..2024-08-31"),
        ("mùa thu", "2026-09-01..2026-11-30"),
        ("tối qua", "2026-11-20"),
        ("sáng nay", "2026-11-21"),
        ("cuối tuần trước", "2026-11-14..2026-11-15"),
    ]);
}

#[test]
fn days_with_a_name() {
    ranges(&[
        ("christmas eve", "2025-12-24"),
        ("Boxing Day 2024", "2024-12-26"),
        ("at Easter", "2026-04-05"),
        ("good friday", "2026-04-03"),
        ("bonfire night", "2026-11-05"),
        ("remembrance sunday", "2026-11-08"),
        ("bank holiday monday", "2026-08-31"),
        ("new year's eve", "2025-12-31"),
        ("tết", "2026-02-17..2026-02-19"),
        ("Tết 2007", "2007-02-17..2007-02-19"),
        ("tết 2030", "2030-02-02..2030-02-04"),
        ("mùng 2 Tết", "2026-02-18"),
        ("rằm tháng giêng", "2026-03-03"),
        ("rằm tháng bảy", "2026-08-27"),
        ("23 tháng chạp", "2026-02-10"),
        ("giao thừa", "2026-02-16"),
        ("trung thu năm ngoái", "2025-10-06"),
        ("tháng giêng", "2026-02-17..2026-03-18"),
        ("noel vừa rồi", "2025-12-24..2025-12-25"),
    ]);
}

#[test]
fn parts_of_periods_and_days_of_the_month() {
    ranges(&[
        ("the end of april", "2026-04-21..2026-04-30"),
        ("early november", "2026-11-01..2026-11-10"),
        ("mid-August 2024", "2024-08-11..2024-08-20"),
        ("the first week of may", "2026-05-01..2026-05-07"),
        ("the last week of february", "2026-02-22..2026-02-28"),
        ("end of last year", "2025-11-01..2025-12-31"),
        ("cuối tháng 10", "2026-10-21..2026-10-31"),
        ("đầu năm nay", "2026-01-01..2026-02-28"),
        ("giữa tháng trước", "2026-10-11..2026-10-20"),
        ("the 19th", "2026-11-19"),
        ("the 22nd", "2026-10-22"),
        ("ngày 12", "2026-11-12"),
        ("22/2", "2026-02-22"),
        ("5/5", "2026-05-05"),
        ("3/4", "none"),
        ("Thursday 5 June", "2025-06-05"),
        ("Friday 5 June", "2026-06-05"),
        ("Friday 5 June 2025", "none"),
        ("a week on saturday", "2026-12-05"),
        ("tuesday week", "2026-12-01"),
        ("a fortnight today", "2026-12-05"),
        ("a fortnight ago", "2026-11-02..2026-11-08"),
        ("four years ago this month", "2022-11-01..2022-11-30"),
        ("the week before last", "2026-11-02..2026-11-08"),
        ("the day after tmr", "2026-11-23"),
        ("tmrw", "2026-11-22"),
        ("mốt", "2026-11-23"),
        ("một", "none"),
        ("Đồng", "none"),
    ]);
}

#[test]
fn from_one_date_to_another() {
    ranges(&[
        ("2026-01-01..2026-02-03", "2026-01-01..2026-02-03"),
        ("2026-01 .. 2026-03", "2026-01-01..2026-03-31"),
        ("2024 to 2025", "2024-01-01..2025-12-31"),
        ("2024 - 2025", "2024-01-01..2025-12-31"),
        ("from march to may 2024", "2024-03-01..2024-05-31"),
        ("march 2024 to may", "2024-03-01..2024-05-31"),
        ("december to february", "2025-12-01..2026-02-28"),
        ("monday to friday", "2026-11-16..2026-11-20"),
        ("between 1 march and 3 april", "2026-03-01..2026-04-03"),
        ("last week to yesterday", "2026-11-09..2026-11-20"),
        ("since march", "2026-03-01..2026-11-21"),
        ("từ tháng 3 đến tháng 5", "2026-03-01..2026-05-31"),
        ("từ hôm kia đến hôm nay", "2026-11-19..2026-11-21"),
        ("2026-03-01..2026-02-01", "none"),
        ("today to yesterday", "none"),
    ]);
}

#[test]
fn what_is_unclear_or_no_date_is_not_guessed() {
    ranges(&[
        ("03/04/2024", "none"),
        ("3.4.2024", "none"),
        ("22/02/2024", "2024-02-22"),
        ("02/22/2024", "2024-02-22"),
        ("04/04/2024", "2024-04-04"),
        ("", "none"),
        ("  ", "none"),
        ("marching", "none"),
        ("my friday", "none"),
        ("friday dinner", "none"),
        ("2026-02-30", "none"),
        ("30 february", "none"),
        ("2026-13", "none"),
        ("99999999999999999999", "none"),
        ("999999 years ago", "none"),
        ("tháng 13", "none"),
        ("a few days ago", "none"),
        ("..", "none"),
        ("yesterday 3pm", "none"),
    ]);
    moments(&[
        ("at 9", "none"),
        ("yesterday at 9", "none"),
        ("last week", "none"),
        ("2026-02", "none"),
        ("25:00", "none"),
        ("13am", "none"),
        ("03/04/2024 15:30", "none"),
    ]);
}

#[test]
fn moments_for_capture() {
    moments(&[
        ("yesterday 3pm", "2026-11-20T15:00:00+07:00"),
        ("yesterday at 3:15 pm", "2026-11-20T15:15:00+07:00"),
        ("3 p.m. yesterday", "2026-11-20T15:00:00+07:00"),
        ("12am today", "2026-11-21T00:00:00+07:00"),
        ("friday 9:15", "2026-11-20T09:15:00+07:00"),
        ("last friday, 09:15", "2026-11-20T09:15:00+07:00"),
        ("2026-02-22T15:30", "2026-02-22T15:30:00+07:00"),
        ("2026-02-22 15:30", "2026-02-22T15:30:00+07:00"),
        ("2026-02-22", "2026-02-22T12:00:00+07:00"),
        ("22 feb 2026 15:30", "2026-02-22T15:30:00+07:00"),
        ("2026-02-22T15:30:00+02:00", "2026-02-22T15:30:00+02:00"),
        ("2026-02-22T15:30:00Z", "2026-02-22T15:30:00+00:00"),
        ("3 days ago", "2026-11-18T12:00:00+07:00"),
        ("3 days ago at 8:05", "2026-11-18T08:05:00+07:00"),
        ("two weeks ago", "2026-11-07T12:00:00+07:00"),
        ("today", "2026-11-21T10:20:30+07:00"),
        ("now", "2026-11-21T10:20:30+07:00"),
        ("noon", "2026-11-21T12:00:00+07:00"),
        ("yesterday noon", "2026-11-20T12:00:00+07:00"),
        ("15:30", "2026-11-21T15:30:00+07:00"),
        ("an hour ago", "2026-11-21T09:20:30+07:00"),
        ("half an hour ago", "2026-11-21T09:50:30+07:00"),
        ("10 minutes ago", "2026-11-21T10:10:30+07:00"),
        ("last night", "2026-11-20T22:00:00+07:00"),
        ("yesterday morning", "2026-11-20T09:00:00+07:00"),
        ("this morning", "2026-11-21T09:00:00+07:00"),
        ("hôm qua 15h30", "2026-11-20T15:30:00+07:00"),
        ("3 giờ chiều hôm qua", "2026-11-20T15:00:00+07:00"),
        ("hôm qua lúc 3h chiều", "2026-11-20T15:00:00+07:00"),
        ("tối qua", "2026-11-20T19:00:00+07:00"),
        ("9h sáng thứ hai", "2026-11-16T09:00:00+07:00"),
        ("30 phút trước", "2026-11-21T09:50:30+07:00"),
        ("cách đây 2 tiếng", "2026-11-21T08:20:30+07:00"),
    ]);
}

#[test]
fn a_skipped_clock_time_moves_forward_and_a_double_one_is_the_first() {
    let now: Zoned = "2024-11-20T10:00:00-05:00[America/New_York]".parse().unwrap();
    assert_eq!(moment("2024-03-10 02:30", &now).unwrap().to_string(), "2024-03-10T03:30:00-04:00[America/New_York]");
    assert_eq!(moment("2024-11-03 1:30", &now).unwrap().to_string(), "2024-11-03T01:30:00-04:00[America/New_York]");
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic_and_ranges_are_in_order(text in "\\PC{0,60}") {
        if let Some(found) = range(&text, &now()) {
            prop_assert!(found.first <= found.last);
        }
        moment(&text, &now());
    }

    #[test]
    fn words_of_dates_in_any_order_are_read_without_panic(
        words in prop::collection::vec(prop::sample::select(vec![
            "last", "next", "this", "week", "month", "year", "friday", "feb", "29", "2024", "9999", "999999999", "..", "to", "-", "/",
            "3", "days", "ago", "in", "spring", "thu", "sau", "thang", "nam", "truoc", "nay", ":", "15", "30", "pm", "at", ",", "q",
            "since", "from", "between", "and", "weeks", "hours", "qua", "toi", "w", "T", "0000", "last night", "1", "31",
        ]), 0..10),
        glue in prop::sample::select(vec!["", " "]),
    ) {
        let text = words.join(glue);
        for now in [now(), jiff::Timestamp::MAX.to_zoned(TimeZone::UTC), jiff::Timestamp::MIN.to_zoned(TimeZone::UTC)] {
            if let Some(found) = range(&text, &now) {
                prop_assert!(found.first <= found.last, "{text}");
            }
            moment(&text, &now);
        }
    }

    #[test]
    fn every_iso_date_means_itself(year in 0i16..=9999, month in 1i8..=12, day in 1i8..=31) {
        prop_assume!(Date::new(year, month, day).is_ok());
        let day = date(year, month, day);
        prop_assert_eq!(range(&day.to_string(), &now()), Some(DayRange { first: day, last: day }));
        let noon = moment(&day.to_string(), &now()).map(|moment| (moment.date(), moment.hour()));
        prop_assert_eq!(noon, Some((day, 12)));
    }

    #[test]
    fn every_clock_time_of_a_day_means_itself(seconds in 0i64..2_000_000_000) {
        let written = jiff::Timestamp::from_second(seconds).unwrap().to_string();
        prop_assert_eq!(moment(&written, &now()).map(|moment| moment.timestamp().as_second()), Some(seconds));
    }
}
