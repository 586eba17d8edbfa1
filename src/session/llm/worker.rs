//! The thread that asks: it may wait for the network, and nothing waits for it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use jiff::Timestamp;

use super::{LlmOptions, Queue, Step};
use crate::session::{
    SessionError,
    protocol::{ModelReading, ModelState},
    shared_state::SharedState,
};

/// Until the journal is open, it looks so often.
const OPENED_WITHIN: Duration = Duration::from_millis(200);
/// With nothing to ask, it looks so often whether something was written.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Answers are taken up by the graph at most so often.
const TAKEN_UP_EVERY: Duration = Duration::from_secs(2);
/// At the end of the program a question on its way is waited for no longer than this; its answer is asked for again next time.
const END_WITHIN: Duration = Duration::from_millis(200);

/// A running worker.
pub(in crate::session) struct ModelWorker {
    wake: mpsc::Sender<()>,
    ended: mpsc::Receiver<()>,
}

impl ModelWorker {
    /// `taken_up` wakes the worker that syncs.
    pub fn start(shared: Arc<SharedState>, options: LlmOptions, taken_up: impl Fn() + Send + 'static) -> Self {
        let (wake, woken) = mpsc::channel();
        let (ending, ended) = mpsc::channel();
        let run = move || {
            let outcome =
                catch_unwind(AssertUnwindSafe(|| Worker { shared: &shared, taken_up: &taken_up }.run(options, &woken)))
                    .unwrap_or_else(|_| Err(SessionError::Fault("asking the language model".to_owned())));
            if let Err(error) = outcome {
                shared.publish(|view| view.reading = None);
                shared.tell(format!("the language model is asked no more: {error}"));
            }
            drop(ending);
        };
        thread::Builder::new()
            .name("llm".to_owned())
            .spawn(run)
            .expect("the system gives a process a handful of threads");
        Self { wake, ended }
    }

    /// The session's `stopping` is set before. A thread in the middle of a question is left behind: it writes nothing any more.
    pub fn stop(self) {
        let _ = self.wake.send(());
        let _ = self.ended.recv_timeout(END_WITHIN);
    }
}

struct Worker<'a> {
    shared: &'a SharedState,
    taken_up: &'a dyn Fn(),
}

impl Worker<'_> {
    fn run(&self, options: LlmOptions, woken: &mpsc::Receiver<()>) -> Result<(), SessionError> {
        let vault = self.shared.vault()?;
        let mut queue = Queue::open(&vault, options)?;
        let stopping = || self.shared.stopping.load(Ordering::SeqCst);
        let mut fresh_answers = 0;
        let mut taken_up = Instant::now();
        while !stopping() {
            let view = self.shared.view();
            let Some(snapshot) = view.snapshot.clone() else {
                if !wait(woken, OPENED_WITHIN) {
                    break;
                }
                continue;
            };
            let now = self.now();
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
            if fresh_answers > 0 && (pause.is_some() || taken_up.elapsed() >= TAKEN_UP_EVERY) {
                (fresh_answers, taken_up) = (0, Instant::now());
                self.shared.mark_dirty();
                (self.taken_up)();
            }
            self.show(&step, queue.reading(&snapshot, now));
            if pause.is_some_and(|pause| !wait(woken, pause)) {
                break;
            }
        }
        Ok(())
    }

    fn now(&self) -> Timestamp {
        self.shared.options.vault.clock.now().timestamp()
    }

    /// Shows where it stands, where that is new; that it stopped is said once more, in words.
    fn show(&self, step: &Step, mut reading: ModelReading) {
        if *step == Step::Elsewhere {
            reading.state = ModelState::Elsewhere;
        }
        let before = self.shared.view().reading.clone();
        if before.as_ref() == Some(&reading) {
            return;
        }
        if let ModelState::Stopped { why } = &reading.state
            && !matches!(before, Some(ModelReading { state: ModelState::Stopped { .. }, .. }))
        {
            self.shared.tell(format!("the language model is asked no more: {why}; `kioku llm status` tells more"));
        }
        self.shared.publish(|view| view.reading = Some(reading));
    }
}

/// False where nobody is left who could wake it: the session is gone.
fn wait(woken: &mpsc::Receiver<()>, pause: Duration) -> bool {
    woken.recv_timeout(pause) != Err(RecvTimeoutError::Disconnected)
}

/// A clock that was set back must not make the wait a long one.
fn pause_until(until: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(until.duration_since(now)).unwrap_or_default().clamp(Duration::from_millis(50), LOOK_EVERY)
}
