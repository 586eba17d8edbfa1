//! A thread that owns a state and runs jobs on it, one at a time, in their order.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use tokio::sync::oneshot;

use crate::fault;

type Job<S> = Box<dyn FnOnce(&mut S) + Send>;

/// The state of a worker.
pub trait State: Send + 'static {
    /// Called after `idle` without a job. Returns when it is due again; `None`: not before the next job. `is_wanted`:
    /// a job waits.
    fn idle(&mut self, _idle: Duration, _is_wanted: &dyn Fn() -> bool) -> Option<Duration> {
        None
    }

    /// Called after a job panicked, before the next one.
    fn recover(&mut self) {}

    /// Called at the end.
    fn close(self)
    where
        Self: Sized,
    {
    }
}

/// A handle of the thread. The thread finishes its jobs and ends with the last handle.
pub struct Worker<S> {
    jobs: Option<mpsc::Sender<Job<S>>>,
    waiting: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
}

/// Why a job has no result.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    #[error("cancelled")]
    Cancelled,
    #[error("an internal fault while answering: {0}")]
    Panicked(String),
    #[error("the server is closing")]
    Closed,
}

/// The pause after a job before its state is idle.
const PAUSE: Duration = Duration::from_millis(300);

impl<S: State> Worker<S> {
    pub fn start(name: &str, state: S) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let count = waiting.clone();
        let thread = thread::Builder::new().name(name.to_owned()).spawn(move || work(state, &queue, &count))?;
        Ok(Self { jobs: Some(jobs), waiting, thread: Some(thread) })
    }

    /// Queues a job at once. The returned future waits for its result; `is_cancelled` is asked before the job begins.
    pub fn run<T, C, J>(
        &self,
        is_cancelled: C,
        job: J,
    ) -> impl Future<Output = Result<T, JobError>> + Send + use<S, T, C, J>
    where
        T: Send + 'static,
        C: Fn() -> bool + Send + 'static,
        J: FnOnce(&mut S) -> T + Send + 'static,
    {
        let (reply, result) = oneshot::channel();
        let run = move |state: &mut S| {
            let done = match is_cancelled() {
                true => Err(JobError::Cancelled),
                false => fault::caught(|| job(state)).map_err(|message| {
                    state.recover();
                    JobError::Panicked(message)
                }),
            };
            // Fails only if the answer is no longer wanted.
            let _ = reply.send(done);
        };
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(Box::new(run)).is_ok());
        async move { if sent { result.await.unwrap_or(Err(JobError::Closed)) } else { Err(JobError::Closed) } }
    }
}

impl<S> Drop for Worker<S> {
    fn drop(&mut self) {
        // Ends the work of an idle state: the end is wanted like a job.
        self.waiting.fetch_add(1, Ordering::Relaxed);
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panic outside a job was recorded; there is no one left to report it to.
            let _ = thread.join();
        }
    }
}

fn work<S: State>(mut state: S, queue: &mpsc::Receiver<Job<S>>, waiting: &AtomicUsize) {
    let is_wanted = || waiting.load(Ordering::Relaxed) > 0;
    let (mut idle, mut due) = (Duration::ZERO, None);
    loop {
        let job = match due {
            Some(pause) => match queue.recv_timeout(pause) {
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    idle += pause;
                    due = state.idle(idle, &is_wanted);
                    continue;
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Ok(job) => job,
            },
            None => match queue.recv() {
                Err(mpsc::RecvError) => break,
                Ok(job) => job,
            },
        };
        waiting.fetch_sub(1, Ordering::Relaxed);
        job(&mut state);
        (idle, due) = (Duration::ZERO, Some(PAUSE));
    }
    state.close();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Log {
        done: Vec<u32>,
        recovered: bool,
    }

    impl State for Log {
        fn recover(&mut self) {
            self.recovered = true;
        }
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    #[test]
    fn jobs_run_in_the_order_of_the_calls_and_not_of_the_waits() {
        let worker = Worker::start("test", Log::default()).unwrap();
        let first = worker.run(|| false, |log: &mut Log| log.done.push(1));
        let second = worker.run(|| false, |log: &mut Log| log.done.push(2));
        block_on(async {
            second.await.unwrap();
            first.await.unwrap();
        });
        assert_eq!(block_on(worker.run(|| false, |log: &mut Log| log.done.clone())).unwrap(), [1, 2]);
    }

    #[test]
    fn a_cancelled_job_does_not_begin_and_a_panic_ends_only_its_job() {
        let worker = Worker::start("mcp-test", Log::default()).unwrap();
        let cancelled = block_on(worker.run(|| true, |log: &mut Log| log.done.push(1)));
        assert!(matches!(cancelled, Err(JobError::Cancelled)));
        let panicked = block_on(worker.run(|| false, |_: &mut Log| -> u32 { panic!("lost") }));
        assert!(matches!(panicked, Err(JobError::Panicked(_))));
        let (done, recovered) =
            block_on(worker.run(|| false, |log: &mut Log| (log.done.clone(), log.recovered))).unwrap();
        assert_eq!((done, recovered), (Vec::new(), true));
    }
}
