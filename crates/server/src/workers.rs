//! The workers for odds, fights, checks and imports. There are as many as cores, but at least two,
//! and one client has at most half of them. When a worker is free, it goes to the waiting client
//! that has the fewest workers and was served the longest time ago. So a client that sends many
//! requests waits for itself only. Work ends at its limit or when its client has left. Then it stores
//! nothing: work that writes says so before it begins, and is answered only when it is done.

use crate::error::{ApiError, Busy, Invalid};
use crate::live_table::{blocking, lock};
use crate::rate_limit::network_of;
use crate::state::Shared;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Requests of one client that may wait for a worker.
const WAITING_OF_A_CLIENT: usize = 16;
/// Requests that may wait in all.
const WAITING: usize = 1024;

/// The workers, and the requests that wait for one.
pub(crate) struct Workers {
    all: usize,
    of_a_client: usize,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    busy: usize,
    clients: HashMap<IpAddr, Client>,
    waiting: Vec<Waiting>,
    /// Grows with each request and each start, to put them in order.
    clock: u64,
}

#[derive(Clone, Copy, Default)]
struct Client {
    busy: usize,
    waiting: usize,
    /// When it last got a worker; 0 for never.
    served: u64,
}

struct Waiting {
    ticket: u64,
    client: IpAddr,
    start: oneshot::Sender<Worker>,
}

/// A worker of a client, until it is dropped.
#[derive(Debug)]
pub(crate) struct Worker {
    /// `None` if the worker was never handed out.
    workers: Option<Arc<Workers>>,
    client: IpAddr,
}

impl std::fmt::Debug for Workers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Workers({})", self.all)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(workers) = self.workers.take() {
            workers.give_back(self.client);
        }
    }
}

/// Leaves the queue when the request ends before it got a worker.
struct LeaveQueue<'w> {
    workers: &'w Workers,
    ticket: u64,
}

impl Drop for LeaveQueue<'_> {
    fn drop(&mut self) {
        let mut queue = lock(&self.workers.queue);
        if let Some(place) = queue.waiting.iter().position(|one| one.ticket == self.ticket) {
            let left = queue.waiting.remove(place);
            queue.of(left.client, |client| client.waiting -= 1);
        }
    }
}

impl Queue {
    /// Changes what is known of a client, and forgets a client that has nothing here.
    fn of(&mut self, client: IpAddr, change: impl FnOnce(&mut Client)) {
        let known = self.clients.entry(client).or_default();
        change(known);
        if known.busy == 0 && known.waiting == 0 {
            self.clients.remove(&client);
        }
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    fn start(&mut self, client: IpAddr) {
        let now = self.tick();
        self.busy += 1;
        self.of(client, |client| {
            client.busy += 1;
            client.served = now;
        });
    }
}

impl Workers {
    pub fn new(all: usize) -> Arc<Workers> {
        let all = all.max(1);
        Arc::new(Workers { all, of_a_client: (all / 2).max(1), queue: Mutex::default() })
    }

    /// How many work, and how many requests wait.
    pub fn counts(&self) -> (usize, usize) {
        let queue = lock(&self.queue);
        (queue.busy, queue.waiting.len())
    }

    /// Waits for a worker. All addresses of one IPv6 /48 are one client here.
    pub async fn take(
        self: &Arc<Workers>,
        client: IpAddr,
        patience: Duration,
    ) -> Result<Worker, ApiError> {
        let busy = || ApiError::Busy(Busy::Workers);
        let client = network_of(client).unwrap_or(client);
        let (start, started) = oneshot::channel();
        let ticket = {
            let mut queue = lock(&self.queue);
            let own = queue.clients.get(&client).copied().unwrap_or_default();
            if own.waiting >= WAITING_OF_A_CLIENT || queue.waiting.len() >= WAITING {
                return Err(busy());
            }
            let ticket = queue.tick();
            queue.of(client, |client| client.waiting += 1);
            queue.waiting.push(Waiting { ticket, client, start });
            self.start_waiting(&mut queue);
            ticket
        };
        // Dropped before `started`, so a worker is never sent to a request that has ended.
        let _leave = LeaveQueue { workers: self, ticket };
        tokio::time::timeout(patience, started).await.map_err(|_| busy())?.map_err(|_| busy())
    }

    fn give_back(self: &Arc<Workers>, client: IpAddr) {
        let mut queue = lock(&self.queue);
        queue.busy -= 1;
        queue.of(client, |client| client.busy -= 1);
        self.start_waiting(&mut queue);
    }

    /// Hands out free workers.
    fn start_waiting(self: &Arc<Workers>, queue: &mut Queue) {
        while queue.busy < self.all {
            let rank = |one: &Waiting| {
                let of = queue.clients.get(&one.client).copied().unwrap_or_default();
                (of.busy < self.of_a_client).then_some((of.busy, of.served, one.ticket))
            };
            let ranked = queue.waiting.iter().enumerate();
            let next = ranked.filter_map(|(at, one)| Some((rank(one)?, at))).min();
            let Some((_, at)) = next else { return };
            let Waiting { client, start, .. } = queue.waiting.remove(at);
            queue.start(client);
            queue.of(client, |client| client.waiting -= 1);
            let worker = Worker { workers: Some(Arc::clone(self)), client };
            if let Err(mut unwanted) = start.send(worker) {
                // The lock is held: the worker is given back here, not by its drop.
                unwanted.workers = None;
                queue.busy -= 1;
                queue.of(client, |client| client.busy -= 1);
            }
        }
    }
}

/// When work must end: at a time, or when its client has left.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    pub until: Instant,
    phase: Arc<AtomicU8>,
}

/// The phases of work. It can be ended while it runs. What it writes it writes to the end.
const RUNS: u8 = 0;
const LEFT: u8 = 1;
const WRITES: u8 = 2;

/// Tells the work that its client has left, when it is dropped.
pub(crate) struct ClientWaits(Arc<AtomicU8>);

impl ClientWaits {
    /// Ends the work, and says whether that succeeded: work that writes goes on.
    fn leave(&self) -> bool {
        self.0.compare_exchange(RUNS, LEFT, SeqCst, SeqCst).is_ok()
    }
}

impl Drop for ClientWaits {
    fn drop(&mut self) {
        self.leave();
    }
}

impl Deadline {
    pub fn new(until: Instant) -> (Deadline, ClientWaits) {
        let phase = Arc::new(AtomicU8::new(RUNS));
        (Deadline { until, phase: Arc::clone(&phase) }, ClientWaits(phase))
    }

    pub fn client_left(&self) -> bool {
        self.phase.load(SeqCst) == LEFT
    }

    pub fn is_over(&self) -> bool {
        self.client_left() || Instant::now() >= self.until
    }

    /// Says that the work writes from now on. It must not, if it is over.
    pub fn begin_to_write(&self) -> Result<(), ApiError> {
        let begun =
            !self.is_over() && self.phase.compare_exchange(RUNS, WRITES, SeqCst, SeqCst).is_ok();
        if begun { Ok(()) } else { Err(too_much()) }
    }

    /// The same with an earlier end.
    pub fn by(&self, until: Instant) -> Deadline {
        Deadline { until: until.min(self.until), phase: Arc::clone(&self.phase) }
    }
}

/// The answer to work that reached its limit. Nothing was done.
pub(crate) fn too_much() -> ApiError {
    ApiError::Invalid(Invalid::TooMuchWork)
}

/// Has something done that may take long: by a worker of the client's share, with a time limit. If
/// the client leaves, this future is dropped and the work is told to stop.
pub(crate) async fn work<T: Send + 'static>(
    app: &Shared,
    client: IpAddr,
    work: impl FnOnce(&Deadline) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let limit = app.limits.work;
    // Longer than any work takes: the client that was served least gets the next free worker.
    let worker = app.workers.take(client, limit + limit / 2).await?;
    let (deadline, waits) = Deadline::new(Instant::now() + limit);
    // The worker keeps its place until it is done, also when no one waits for it any more.
    let counted = Arc::clone(app);
    let mut done = std::pin::pin!(blocking(move || {
        let _worker = worker;
        let found = work(&deadline);
        if deadline.client_left() {
            counted.metrics.cancelled.fetch_add(1, Relaxed);
        }
        found
    }));
    match tokio::time::timeout(limit + Duration::from_secs(1), &mut done).await {
        Ok(done) => done,
        Err(_) if waits.leave() => Err(too_much()),
        Err(_) => done.await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    type Request = Pin<Box<dyn Future<Output = Result<Worker, ApiError>>>>;

    fn ask(workers: &Arc<Workers>, client: &str) -> Request {
        let (workers, client) = (Arc::clone(workers), client.parse().unwrap());
        Box::pin(async move { workers.take(client, Duration::from_secs(3600)).await })
    }

    /// The worker, if the request has got one.
    fn poll(request: &mut Request) -> Option<Result<Worker, ApiError>> {
        match request.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(got) => Some(got),
            Poll::Pending => None,
        }
    }

    #[tokio::test]
    async fn one_client_has_at_most_half_of_the_workers() {
        let workers = Workers::new(4);
        let mut greedy: Vec<Request> = (0..8).map(|_| ask(&workers, "10.0.0.1")).collect();
        let held: Vec<_> = greedy.iter_mut().filter_map(poll).collect();
        assert_eq!((held.len(), workers.counts()), (2, (2, 6)));
        let mut others: Vec<Request> =
            (2..4).map(|n| ask(&workers, &format!("10.0.0.{n}"))).collect();
        let served: Vec<_> = others.iter_mut().filter_map(poll).collect();
        assert_eq!((served.len(), workers.counts()), (2, (4, 6)));
    }

    #[tokio::test]
    async fn a_client_with_a_long_queue_waits_for_itself_only() {
        let workers = Workers::new(1);
        let mut greedy: Vec<Request> = (0..6).map(|_| ask(&workers, "10.0.0.1")).collect();
        let mut held: Vec<_> = greedy.iter_mut().filter_map(poll).collect();
        assert_eq!(held.len(), 1);
        let mut late = ask(&workers, "10.0.0.2");
        assert!(poll(&mut late).is_none());
        held.clear();
        assert!(poll(&mut late).is_some_and(|got| got.is_ok()), "the next worker is the other's");
    }

    #[tokio::test]
    async fn a_request_that_ends_leaves_the_queue_and_frees_its_worker() {
        let workers = Workers::new(1);
        let (mut first, mut second) = (ask(&workers, "10.0.0.1"), ask(&workers, "10.0.0.1"));
        let worker = poll(&mut first);
        assert!(worker.is_some() && poll(&mut second).is_none());
        drop(second);
        assert_eq!(workers.counts(), (1, 0));
        // A worker that was sent and not received yet.
        let mut third = ask(&workers, "10.0.0.3");
        assert!(poll(&mut third).is_none());
        drop(worker);
        assert_eq!(workers.counts(), (1, 0));
        drop(third);
        assert_eq!(workers.counts(), (0, 0));
        assert!(lock(&workers.queue).clients.is_empty());
    }

    #[tokio::test]
    async fn the_queue_of_a_client_is_bounded_and_a_network_is_one_client() {
        let workers = Workers::new(2);
        let mut all: Vec<Request> =
            (0..40).map(|n| ask(&workers, &format!("2001:db8:1:{n}::1"))).collect();
        let got: Vec<_> = all.iter_mut().filter_map(poll).collect();
        assert_eq!(got.iter().filter(|got| got.is_ok()).count(), 1);
        assert_eq!(workers.counts(), (1, WAITING_OF_A_CLIENT));
        let refused = got.iter().filter(|got| got.is_err()).count();
        assert_eq!(refused, 40 - 1 - WAITING_OF_A_CLIENT);
        let mut other = ask(&workers, "2001:db8:2::1");
        assert!(poll(&mut other).is_some_and(|got| got.is_ok()));
    }

    #[test]
    fn a_deadline_is_over_when_the_client_leaves() {
        let (deadline, waits) = Deadline::new(Instant::now() + Duration::from_secs(3600));
        assert!(!deadline.is_over());
        drop(waits);
        assert!(deadline.is_over() && deadline.client_left());
    }
}
