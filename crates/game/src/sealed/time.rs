//! Times in a log, as far as a time limit needs them. A time is what its writer claims.

/// Seconds since 1970 of a time such as `2026-11-16T02:14:05Z`, with or without a fraction of a
/// second, which is dropped; `None` for any other text.
pub(super) fn seconds(at: &str) -> Option<i64> {
    let (text, fraction) = at.strip_suffix('Z')?.split_at_checked(19)?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !fraction.is_empty() && !fraction.strip_prefix('.').is_some_and(digits) {
        return None;
    }
    let form = text.bytes().zip(*b"0000-00-00T00:00:00");
    if form
        .clone()
        .any(|(byte, form)| if form == b'0' { !byte.is_ascii_digit() } else { byte != form })
    {
        return None;
    }
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if year < 1 || !(1..=days).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // Years are counted from March, so that a leap day is the last day of its year.
    let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day;
    Some((days - 719_469) * 86_400 + hour * 3600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn only_times_in_utc_are_read() {
        assert_eq!(seconds("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(seconds("2000-02-29T00:00:00Z"), Some(951_782_400));
        assert_eq!(seconds("2026-11-16T04:07:27.123Z"), seconds("2026-11-16T04:07:27Z"));
        for other in [
            "",
            "t",
            "2026-11-16T04:07:27",
            "2026-11-16 04:07:27Z",
            "2026-11-16T04:07:27.Z",
            "2026-11-16T04:07:60Z",
            "2026-11-31T04:07:27Z",
            "1900-02-29T00:00:00Z",
            "0000-01-01T00:00:00Z",
            "+026-11-16T04:07:27Z",
            "2026-11-16T04:07:27+01:00",
        ] {
            assert_eq!(seconds(other), None, "{other}");
        }
    }
}
