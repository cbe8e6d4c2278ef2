import ArgumentParser
import ForeignParties
import Wording

/// The wait for a relying party that was started a moment ago, as in a job of continuous integration.
struct PartyWaitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Wait up to this span for the relying party to answer, such as 60s; default: no wait.", valueName: "span"),
        transform: SpanArgument.read)
    var wait: SpanArgument?

    func validate() throws {
        guard wait.map({ $0.duration > .zero }) ?? true else {
            throw ValidationError("--wait must be more than zero; leave it out for no wait.")
        }
    }

    /// Waits until the relying party answers, and says so on standard error.
    ///
    /// - Throws: ``PartyError`` when it does not answer in time.
    func wait(for party: ForeignParty) async throws {
        guard let limit = wait?.duration else { return }
        var hasWaited = false
        let time = try await PartyStart(of: party).wait(atMost: limit) {
            hasWaited = true
            Terminal.writeError("Waiting up to \(Wording.span(limit)) for \(party.address) to answer.")
        }
        guard hasWaited else { return }
        let seconds = Duration.seconds(max(1, time.components.seconds))
        Terminal.writeError("\(party.address) answers after \(Wording.span(seconds)).")
    }
}
