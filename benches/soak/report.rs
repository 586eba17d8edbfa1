//! Runs what was asked for, prints what came of it, and records it.

use std::{collections::BTreeMap, process::Command, time::Duration};

use super::{
    SoakOptions,
    crowd::{self, without_names},
    kill::{self, Kills, Method},
    long,
    odd::{self, Tries},
    table::{self, Row},
};

/// True where nothing was lost and everything worked.
pub fn run(asked: &SoakOptions) -> Result<bool, String> {
    let amount = |usual| asked.amount.unwrap_or(usual);
    match asked.what.as_str() {
        "kill" => kills(asked, amount(300)),
        "crowd" => crowd(asked, amount(60)),
        "soak" => soak(asked, amount(60)),
        "swap" => {
            tries(asked, "another machine's index, or an older one", odd::swap(&asked.binary, amount(12), asked.seed))
        }
        "damage" => tries(asked, "a file of the index damaged", odd::damage(&asked.binary, amount(50), asked.seed)),
        "clock" => tries(asked, "the clock goes back", odd::clock(&asked.binary, amount(30), asked.seed)),
        what => Err(format!("there is no run {what}")),
    }
}

fn kills(asked: &SoakOptions, count: usize) -> Result<bool, String> {
    let has_strace = Command::new("strace").arg("-V").output().is_ok_and(|output| output.status.success());
    let all = [
        (Method::Steps, "steps", cfg!(debug_assertions)),
        (Method::Delays, "delays", true),
        (Method::Calls, "calls", has_strace),
    ];
    let chosen: Vec<Method> = all
        .iter()
        .filter(|(_, name, there)| *there && (asked.method == "all" || asked.method == *name))
        .map(|(method, ..)| *method)
        .collect();
    if chosen.is_empty() {
        return Err(format!("no way to kill by {}: steps need a debug build, calls strace", asked.method));
    }
    let mut sound = true;
    for method in &chosen {
        let share = count.div_ceil(chosen.len());
        let mut next = 0;
        let mut tell = |now: &Kills| {
            if now.kills >= next {
                println!("{:?}: {} kills, {} lost, {} stuck", method, now.kills, now.lost.len(), now.stuck.len());
                next = now.kills + share.div_ceil(10).max(1);
            }
        };
        let found = kill::run(&asked.binary, *method, share, asked.seed, asked.keep, &mut tell);
        list("lost", &found.lost);
        list("did not work", &found.stuck);
        list("forgotten and still there", &found.left_over);
        let Kills { kills, survived, torn, .. } = &found;
        println!("{method:?}: {kills} kills, {survived} not reached, at most {torn} torn heads behind an entry");
        sound &= found.lost.is_empty() && found.stuck.is_empty() && found.left_over.is_empty();
        let saw = saw(&found.said, &found.stuck);
        record(asked, method.fault(), found.kills, found.lost.len(), saw)?;
    }
    Ok(sound)
}

fn crowd(asked: &SoakOptions, seconds: usize) -> Result<bool, String> {
    let found = crowd::run(&asked.binary, Duration::from_secs(seconds as u64), asked.seed);
    println!(
        "{} texts acknowledged ({} typed on the screens) while {} files were overwritten and {} put back:",
        found.acknowledged, found.typed, found.overwritten, found.put_back
    );
    println!(
        "{} in the journal, {} in the trash, {} only in recent/, {} lost",
        found.in_journal,
        found.in_trash,
        found.only_recent.len(),
        found.lost.len()
    );
    list("only in recent/", &found.only_recent);
    list("lost", &found.lost);
    list("did not work", &found.stuck);
    found.refused.iter().for_each(|(said, times)| println!("  {times} x {said}"));
    let lost = found.lost.len() + found.only_recent.len();
    let mut saw = format!("{} overwritten entries in the trash, to be restored", found.in_trash);
    if !found.stuck.is_empty() {
        saw.push_str(&format!("; {}", self::saw(&[], &found.stuck)));
    }
    record(asked, "four writers, an editor, a sync tool and the screens at once", found.acknowledged, lost, saw)?;
    Ok(lost == 0 && found.stuck.is_empty())
}

fn soak(asked: &SoakOptions, seconds: usize) -> Result<bool, String> {
    println!("after s, memory kB, handles, threads, index kB, home kB");
    let mut tell = |sample: &long::Sample| {
        let long::Sample { after, memory_kb, handles, threads, index_kb, home_kb } = sample;
        println!("{:.0}, {memory_kb}, {handles}, {threads}, {index_kb}, {home_kb}", after.as_secs_f64());
    };
    let length = Duration::from_secs(seconds as u64);
    let found = long::run(&asked.binary, asked.entries, length, asked.seed, &mut tell);
    let (memory, handles) = found.growth();
    println!(
        "{} entries, {} added, {} changed, {} searches; memory {memory:+.1} %, handles {handles:+.1} %",
        found.entries, found.added, found.changed, found.searches
    );
    list("lost", &found.lost);
    list("answered differently by a rebuilt index", &found.differing);
    list("did not work", &found.stuck);
    let saw = match (found.differing.len(), found.stuck.len()) {
        (0, 0) => format!("memory {memory:+.1} %, handles {handles:+.1} %, the answers of a rebuilt index"),
        (differing, _) => format!("{differing} questions answered differently; {}", self::saw(&[], &found.stuck)),
    };
    let changes = found.added + found.changed + found.searches;
    record(asked, &format!("{seconds} s of use of {} entries", found.entries), changes, found.lost.len(), saw)?;
    Ok(found.lost.is_empty() && found.differing.is_empty() && found.stuck.is_empty())
}

fn tries(asked: &SoakOptions, fault: &str, found: Tries) -> Result<bool, String> {
    println!("{} tries", found.tried);
    list("lost", &found.lost);
    list("wrong", &found.wrong);
    record(asked, fault, found.tried, found.lost.len(), saw(&found.said, &found.wrong))?;
    Ok(found.lost.is_empty() && found.wrong.is_empty())
}

/// What a user saw, in a cell: the most frequent messages, and how often something did not work.
fn saw(said: &[String], wrong: &[String]) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for said in said {
        *counts.entry(without_names(said)).or_default() += 1;
    }
    let mut most: Vec<(String, usize)> = counts.into_iter().collect();
    most.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    let mut cell: Vec<String> = most.iter().take(2).map(|(said, times)| format!("“{said}” ({times})")).collect();
    if !wrong.is_empty() {
        cell.push(format!("{} times something did not work", wrong.len()));
    }
    if cell.is_empty() { "nothing".to_owned() } else { cell.join("; ") }
}

fn list(what: &str, lines: &[String]) {
    const MOST: usize = 12;
    if !lines.is_empty() {
        println!("{what}: {}", lines.len());
        lines.iter().take(MOST).for_each(|line| println!("  {}", line.chars().take(400).collect::<String>()));
    }
}

fn record(asked: &SoakOptions, fault: &str, tried: usize, lost: usize, saw: String) -> Result<(), String> {
    if !asked.record {
        return Ok(());
    }
    let row = Row { fault: fault.to_owned(), tried: tried as u64, lost: lost as u64, saw, command: asked.command() };
    table::record(row).map_err(|error| format!("results.tsv: {error}"))
}
