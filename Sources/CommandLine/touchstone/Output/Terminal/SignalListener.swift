import Dispatch
import Foundation
import Synchronization

/// Handles signals whose default action ends the program.
struct SignalListener {
    private let sources: [(number: Int32, source: any DispatchSourceSignal)]

    /// The listeners of a signal, and its action while it has none.
    private struct Signal {
        /// The listeners that have not ended.
        var listeners = 0
        /// The dispatch library's action while the default action is set.
        var action: sigaction?
    }

    private static let signals = Mutex<[Int32: Signal]>([:])

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
        for number in numbers { Self.begin(number) }
    }

    /// Stops listening, and sets the default action of each signal that no other listener has.
    func end() {
        for (number, source) in sources {
            source.cancel()
            Self.end(number)
        }
    }

    /// Sets the library's action again, which the library itself sets only for a signal's first source.
    private static func begin(_ number: Int32) {
        signals.withLock { signals in
            signals[number, default: Signal()].listeners += 1
            guard var action = signals[number]?.action else { return }
            sigaction(number, &action, nil)
            signals[number]?.action = nil
        }
    }

    /// Sets the default action after the last listener; a cancelled source leaves an action that swallows the signal.
    private static func end(_ number: Int32) {
        signals.withLock { signals in
            signals[number]?.listeners -= 1
            guard signals[number]?.listeners == 0 else { return }
            var (usual, former) = (sigaction(), sigaction())
            guard sigaction(number, &usual, &former) == 0 else { return }
            signals[number]?.action = former
        }
    }
}

extension SignalListener {
    enum Action {
        case usual, ignored, handled
    }

    static func action(of number: Int32) -> Action {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return .usual }
        // SIG_DFL is 0, and SIG_IGN is 1.
        return switch unsafeBitCast(action.__sigaction_handler, to: Int.self) {
        case 0: .usual
        case 1: .ignored
        default: .handled
        }
    }
}
