//! The language model worker: a thread that waits for the network, so that no other has to.

use std::{
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{self, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use jiff::Timestamp;

use super::{LlmOptions, Queue, Step};
use crate::session::{
    SessionError,
    error::or_fault,
    protocol::{ModelReading, ModelState},
    shared_state::SharedState,
    worker_threads::spawn,
};

/// Poll interval until the journal is open.
const OPENED_WITHIN: Duration = Duration::from_millis(200);
/// Poll interval for new entries when the queue is empty.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Minimum interval between syncs that read new answers into the graph.
const TAKEN_UP_EVERY: Duration = Duration::from_secs(2);
/// Maximum wait for a running request at the end of the program. The request is sent again after the next start.
const END_WITHIN: Duration = Duration::from_millis(200);

/// A running worker.
pub(in crate::session) struct ModelWorker {
    wake: mpsc::Sender<()>,
    ended: mpsc::Receiver<()>,
}

impl ModelWorker {
    /// Starts the thread. `taken_up` wakes the index worker.
    pub fn start(shared: Arc<SharedState>, options: LlmOptions, taken_up: impl Fn() + Send + 'static) -> Self {
        let (wake, woken) = mpsc::channel();
        let (ending, ended) = mpsc::channel();
        let run = move || {
            let outcome = or_fault("asking the language model", || send_requests(&shared, options, &taken_up, &woken));
            if let Err(error) = outcome {
                shared.publish(|view| view.reading = None);
                shared.notify(format!("the language model stopped: {error}"));
            }
            drop(ending);
        };
        spawn("llm", run);
        Self { wake, ended }
    }

    /// The caller must set `stopping` first. A thread with a running request is left behind: it writes nothing
    /// afterwards.
    pub fn stop(self) {
        let _ = self.wake.send(());
        let _ = self.ended.recv_timeout(END_WITHIN);
    }
}

/// Sends requests until the session ends. `taken_up` is called when the graph should read new answers.
fn send_requests(
    shared: &SharedState,
    options: LlmOptions,
    taken_up: &dyn Fn(),
    woken: &mpsc::Receiver<()>,
) -> Result<(), SessionError> {
    let vault = shared.vault()?;
    let mut queue = Queue::open(&vault, options)?;
    let stopping = || shared.stopping.load(Ordering::SeqCst);
    let mut fresh_answers = 0;
    let mut taken_up_at = Instant::now();
    while !stopping() {
        let Some(snapshot) = shared.snapshot() else {
            if !wait(woken, OPENED_WITHIN) {
                break;
            }
            continue;
        };
        let now = shared.options.vault.clock.now().timestamp();
        let step = queue.step(&vault, &snapshot, now, &stopping)?;
        if stopping() {
            break;
        }
        fresh_answers += usize::from(matches!(step, Step::Answered { .. }));
        let pause = match &step {
            Step::Answered { .. } | Step::PassedOver | Step::Failed { .. } => None,
            Step::Later(until) => Some(pause_until(*until, now)),
            Step::Outdated | Step::Stopped(_) | Step::Done | Step::Elsewhere => Some(LOOK_EVERY),
        };
        if fresh_answers > 0 && (pause.is_some() || taken_up_at.elapsed() >= TAKEN_UP_EVERY) {
            (fresh_answers, taken_up_at) = (0, Instant::now());
            shared.mark_dirty();
            taken_up();
        }
        show(shared, &step, queue.reading(&snapshot, now));
        if pause.is_some_and(|pause| !wait(woken, pause)) {
            break;
        }
    }
    Ok(())
}

/// Publishes the progress if it changed. A stop is also reported as a notification.
fn show(shared: &SharedState, step: &Step, mut reading: ModelReading) {
    if *step == Step::Elsewhere {
        reading.state = ModelState::Elsewhere;
    }
    let before = shared.view().reading.clone();
    if before.as_ref() == Some(&reading) {
        return;
    }
    if let ModelState::Stopped { why } = &reading.state
        && !matches!(before, Some(ModelReading { state: ModelState::Stopped { .. }, .. }))
    {
        shared.notify(format!("the language model stopped: {why} · details: `kioku llm status`"));
    }
    shared.publish(|view| view.reading = Some(reading));
}

/// Waits for a wake-up; false if the session has ended.
fn wait(woken: &mpsc::Receiver<()>, pause: Duration) -> bool {
    woken.recv_timeout(pause) != Err(RecvTimeoutError::Disconnected)
}

/// Limits the wait, because the clock may be set back meanwhile.
fn pause_until(until: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(until.duration_since(now)).unwrap_or_default().clamp(Duration::from_millis(50), LOOK_EVERY)
}
