import Dispatch
import Foundation

/// Takes signals from their default action, which ends the program.
struct SignalListener {
    private let sources: [(number: Int32, source: any DispatchSourceSignal)]

    /// Listens from its return on.
    ///
    /// A signal that arrives before ends the program by its default action. Ignored until then, it would be lost.
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
    }

    /// Gives the signals their default action back.
    func end() {
        for (number, source) in sources {
            source.cancel()
            // A source leaves its handler behind, which would keep the signal from everyone.
            signal(number, SIG_DFL)
        }
    }
}
