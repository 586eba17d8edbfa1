//! Several texts on all cores, each by one thread.
//!
//! candle spreads every product over all cores, which costs several times the CPU of one thread as soon as the machine
//! is busy. Here each worker runs it inside a pool of one thread; the further workers are started with a low priority.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use crate::{embed::EmbedError, fault};

#[derive(Default)]
pub struct Workers {
    /// Pools of one thread that are not in use.
    idle: Mutex<Vec<rayon::ThreadPool>>,
}

impl Workers {
    /// The result of `work` for each item, in order. `model` is for messages.
    pub fn each<I, T, F>(&self, model: &str, items: &[I], work: F) -> Result<Vec<T>, EmbedError>
    where
        I: Sync,
        T: Send,
        F: Fn(&I) -> Result<T, EmbedError> + Sync,
    {
        let next = AtomicUsize::new(0);
        let run = || -> Result<Vec<(usize, T)>, EmbedError> {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(at) else { return Ok(done) };
                done.push((at, self.on_one_thread(|| work(item)).map_err(|why| EmbedError::model(model, why))??));
            }
        };
        let cores = if items.len() > 1 { std::thread::available_parallelism().map_or(1, usize::from) } else { 1 };
        let mut done = std::thread::scope(|scope| {
            let others: Vec<_> = (1..cores.min(items.len())).map(|_| scope.spawn(|| behind_others(run))).collect();
            let mut done = run()?;
            for other in others {
                done.extend(other.join().map_err(|_| EmbedError::model(model, "a worker failed"))??);
            }
            Ok::<_, EmbedError>(done)
        })?;
        done.sort_unstable_by_key(|(at, _)| *at);
        Ok(done.into_iter().map(|(_, done)| done).collect())
    }

    /// Runs `work` with every parallel step of candle on one thread.
    fn on_one_thread<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, String> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let pool = match idle().pop() {
            Some(pool) => pool,
            None => rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| error.to_string())?,
        };
        let result = pool.install(|| fault::caught(work));
        idle().push(pool);
        result.map_err(|why| format!("candle failed: {why}"))
    }
}

/// Runs `work` on this thread with a low priority, where threads have one of their own.
fn behind_others<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
    work()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_the_first_error_is_returned() {
        let items: Vec<usize> = (0..50).collect();
        let workers = Workers::default();
        assert_eq!(workers.each("m", &items, |n| Ok(n * 2)).unwrap(), (0..50).map(|n| n * 2).collect::<Vec<_>>());
        let failing =
            workers.each("m", &items, |n| if *n == 30 { Err(EmbedError::model("m", "thirty")) } else { Ok(*n) });
        assert_eq!(failing.unwrap_err().to_string(), "model m: thirty");
        let panicking = workers.each("m", &items[..1], |_| -> Result<(), _> { panic!("out of range") });
        assert!(panicking.unwrap_err().to_string().starts_with("model m: candle failed: "));
    }
}
