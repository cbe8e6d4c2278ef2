import Dispatch
import Foundation
import Synchronization

/// Handles signals whose default action ends the program.
struct SignalListener {
    private let sources: [(number: Int32, source: any DispatchSourceSignal)]
    /// The actions of the dispatch library for signals that had their default action since.
    private static let actions = Mutex<[Int32: sigaction]>([:])

    /// Returns when every signal is handled.
    ///
    /// An earlier signal still ends the program by its default action. The signals are not ignored first: an ignored
    /// signal is lost.
    init(_ numbers: [Int32], on queue: DispatchQueue, onSignal: @escaping @Sendable () -> Void) {
        let registered = DispatchGroup()
        sources = numbers.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: onSignal)
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.resume()
            return (number, source)
        }
        registered.wait()
        for number in numbers { Self.restoreAction(number) }
    }

    /// Stops listening and sets the default action of each signal.
    func end() {
        for (number, source) in sources {
            source.cancel()
            Self.setDefaultAction(number)
        }
    }

    /// A cancelled source leaves the library's action installed, which would swallow the signal.
    private static func setDefaultAction(_ number: Int32) {
        var (usual, former) = (sigaction(), sigaction())
        guard sigaction(number, &usual, &former) == 0, former.__sigaction_handler.sa_handler != nil else { return }
        actions.withLock { $0[number] = former }
    }

    /// The library installs its action for the first source of a signal only.
    private static func restoreAction(_ number: Int32) {
        guard var action = actions.withLock({ $0.removeValue(forKey: number) }) else { return }
        sigaction(number, &action, nil)
    }
}
