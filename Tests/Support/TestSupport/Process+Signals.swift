public import Foundation

extension Process {
    /// Runs the program with no signal blocked.
    ///
    /// A child inherits its thread's blocked signals, and threads of the concurrency pool block most of them: a daemon would
    /// not hear SIGTERM, and Python's gevent waits for SIGCHLD.
    ///
    /// - Throws: The error of `run()`.
    public func runUnblocked() throws {
        var none = sigset_t()
        var blocked = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try run()
    }
}
