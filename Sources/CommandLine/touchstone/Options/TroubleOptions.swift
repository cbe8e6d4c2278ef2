import ArgumentParser
import Documents
import RelyingPartyServer

/// The trouble of a server from its start.
struct TroubleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The time that each request takes, such as \"2 s\".", valueName: "span"),
        transform: SpanArgument.read)
    var latency: SpanArgument?

    @Option(help: "The number of first requests that fail without effect.")
    var failingRequests = 0

    @Option(help: "The HTTP status of the requests that fail.")
    var failingStatus = ServerTrouble().failingStatus

    var trouble: ServerTrouble {
        var trouble = ServerTrouble()
        trouble.latency = latency?.duration ?? .zero
        trouble.failingRequests = failingRequests
        trouble.failingStatus = failingStatus
        return trouble
    }

    func validate() throws {
        guard latency.map({ $0.duration > .zero }) ?? true else {
            throw ValidationError("--latency must be more than zero; leave it out for none.")
        }
        guard (0...ServerTrouble.maximumFailingRequests).contains(failingRequests) else {
            throw ValidationError("--failing-requests must be 0 to \(ServerTrouble.maximumFailingRequests).")
        }
        let statuses = ServerTrouble.failingStatuses
        guard statuses.contains(failingStatus) else {
            throw ValidationError("--failing-status must be \(statuses.lowerBound) to \(statuses.upperBound).")
        }
    }
}

/// A span of time in the syntax of profiles and scenarios.
struct SpanArgument {
    /// The argument as it was written.
    let text: String
    let duration: Duration

    static func read(_ text: String) throws -> SpanArgument {
        do {
            return SpanArgument(text: text, duration: try Duration(span: text))
        } catch {
            throw ValidationError("\(error)")
        }
    }
}
