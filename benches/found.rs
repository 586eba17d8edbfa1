//! How long from a save until it is durable, found by word, and found by all legs; and from another program's change of a day
//! file until it is found? Through the workers, as the screens do it; every time counts, so the slowest is told too.

mod workbench;

use std::{
    fs::OpenOptions,
    io::Write,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use kioku::{
    embed::{Encoder, testing::HashEncoder},
    index::{LegHealth, Snapshot},
    journal::NewEntry,
    search::{Hit, LegId, Legs, search},
    session::{Reply, Request, Response, SessionWorkers, Ticket},
};
use workbench::{Journal, ask, sizes};

const SAVES: usize = 100;
const CHANGES: usize = 20;
/// Between two looks: short beside what is measured, long enough to leave the processor to the workers.
const LOOK: Duration = Duration::from_micros(200);
/// Between two saves: nobody writes an entry while the one before is taken in.
const REST: Duration = Duration::from_millis(400);

fn main() {
    for size in sizes() {
        let journal = Journal::new(size);
        drop(journal.indexed());
        let mut options = journal.options.clone();
        options.watch = true;
        let session = Session { session: SessionWorkers::start(options), encoder: HashEncoder::new(256) };
        session.wait_for(|snapshot| {
            snapshot.catalog.entries().len() == size && snapshot.vector_health == LegHealth::Ready
        });
        let mut times: [Vec<Duration>; 3] = Default::default();
        for number in 0..SAVES {
            thread::sleep(REST);
            session.save(number).into_iter().zip(&mut times).for_each(|(time, times)| times.push(time));
        }
        for (what, times) in ["durable", "found by word", "found by all legs"].into_iter().zip(times) {
            tell(size, &format!("saved until {what}"), times);
        }
        let day = journal.folder.path().join("memory").join("2026-09-01.md");
        let times = (0..CHANGES).map(|number| {
            thread::sleep(REST);
            session.changed_outside(&day, number)
        });
        tell(size, "changed outside until found", times.collect());
        session.session.stop();
    }
}

/// A journal that is open as the screens have it.
struct Session {
    session: SessionWorkers,
    encoder: HashEncoder,
}

impl Session {
    fn save(&self, number: usize) -> [Duration; 3] {
        let (word, ticket) = (format!("saved{number}"), Ticket(number as u64 + 1));
        // Nothing else is as close to it: all legs must offer it.
        let body = format!("{word} with Linh, {word}a {word}b {word}c");
        let started = Instant::now();
        let new = NewEntry { body: body.clone(), ..NewEntry::default() };
        self.session.send(ticket, Request::Append { new, draft: None });
        while !matches!(self.session.try_recv(), Some(Reply::To(own, Response::Written(_))) if own == ticket) {
            thread::sleep(LOOK);
        }
        let durable = started.elapsed();
        let words = Legs::only(LegId::Keyword);
        self.wait_for(|snapshot| self.first(snapshot, &word, words).is_some());
        let by_word = started.elapsed();
        self.wait_for(|snapshot| {
            let hit = self.first(snapshot, &body, Legs::ALL);
            hit.is_some_and(|hit| hit.legs[LegId::Vector].is_some() && hit.legs[LegId::Graph].is_some())
        });
        [durable, by_word, started.elapsed()]
    }

    fn changed_outside(&self, day: &std::path::Path, number: usize) -> Duration {
        let word = format!("outside{number}");
        let (minute, second) = (number / 60, number % 60);
        let entry = format!("\n---\ntime: \"2026-09-01T18:{minute:02}:{second:02}+07:00\"\n---\nWritten {word}.\n");
        let mut file = OpenOptions::new().create(true).append(true).open(day).expect("a day file");
        let started = Instant::now();
        file.write_all(entry.as_bytes()).expect("space on the disk");
        drop(file);
        let words = Legs::only(LegId::Keyword);
        self.wait_for(|snapshot| self.first(snapshot, &word, words).is_some());
        started.elapsed()
    }

    /// The first hit, where it holds the first word of the query.
    fn first(&self, snapshot: &Snapshot, query: &str, legs: Legs) -> Option<Hit> {
        let encoder: &dyn Encoder = &self.encoder;
        let found = search(snapshot, Some(encoder), &ask(query, legs), &|| false).expect("any text is a query")?;
        let word = query.split(' ').next().unwrap_or_default();
        found.hits.into_iter().next().filter(|hit| hit.text.contains(word))
    }

    /// Looks at every new view until it shows what is wanted.
    fn wait_for(&self, shows: impl Fn(&Snapshot) -> bool) {
        let mut seen: Option<Arc<Snapshot>> = None;
        loop {
            let now = self.session.view().snapshot.clone();
            let is_new = match (&seen, &now) {
                (Some(seen), Some(now)) => !Arc::ptr_eq(seen, now),
                (_, now) => now.is_some(),
            };
            if is_new && now.as_deref().is_some_and(&shows) {
                return;
            }
            seen = now;
            while self.session.try_recv().is_some() {}
            thread::sleep(LOOK);
        }
    }
}

#[expect(clippy::print_stdout, reason = "a measurement is printed")]
fn tell(size: usize, what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let of = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize].as_secs_f64() * 1000.0;
    println!("{size} entries, {what}: p50 {:.1} ms, p99 {:.1} ms of {}", of(0.5), of(0.99), times.len());
}
