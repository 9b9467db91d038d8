//! Noise as scanners make it, the same for the same seed: letters for digits, lost minus signs, lost
//! gaps between columns, lost lines.

/// A small generator, so that the noise does not depend on a crate's version.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Tells if something with this chance in a thousand happens.
    fn happens(&mut self, of_thousand: u64) -> bool {
        self.next() % 1000 < of_thousand
    }
}

pub fn noisy(source: &str, seed: u64) -> String {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (seed + 1).wrapping_mul(0x2545_f491_4f6c_dd1d));
    for _ in 0..8 {
        random.next();
    }
    let mut lines = Vec::new();
    for line in source.lines() {
        if !line.trim().is_empty() && random.happens(10) {
            continue;
        }
        lines.push(noisy_line(line, &mut random));
    }
    lines.join("\n")
}

fn noisy_line(line: &str, random: &mut Random) -> String {
    let chars: Vec<char> = line.chars().collect();
    let mut shown = String::new();
    for (at, c) in chars.iter().enumerate() {
        let figure = at.checked_sub(1).is_none_or(|b| !chars[b].is_alphabetic())
            && chars.get(at + 1).is_none_or(|n| !n.is_alphabetic());
        let next = chars.get(at + 1).copied().unwrap_or(' ');
        match c {
            '1' if figure && random.happens(60) => {
                shown.push(if random.happens(500) { 'l' } else { 'I' })
            }
            '0' if figure && random.happens(60) => shown.push('O'),
            '-' if next.is_ascii_digit()
                && at.checked_sub(1).is_none_or(|b| chars[b] == ' ')
                && random.happens(25) => {}
            '-' if random.happens(60) => shown.push('–'),
            ' ' if next == ' ' && at > 0 && chars[at - 1] != ' ' && random.happens(20) => {
                // A gap between columns is lost.
                shown.push(' ');
                let rest: String = chars[at..].iter().collect();
                return shown + rest.trim_start();
            }
            c => shown.push(*c),
        }
    }
    shown
}
