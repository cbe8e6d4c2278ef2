internal import CBOR
internal import CTAP
internal import CTAPHID
package import Conformance
internal import Synchronization

/// Positive controls: the valid requests beside those that must be refused.
extension AuthenticatorBench {
    /// The cases that are about the valid request itself, by command.
    static let plainCases: [CTAPCommand: String] = [
        .makeCredential: "makeCredential.plain", .getAssertion: "getAssertion.plain",
    ]

    /// The case that is about the option rk itself.
    private static let discoverableCase = "makeCredential.options.rk.true"

    package func refusalOfValidRequests(behind result: CaseResult) async -> String? {
        if state.withLock(\.madeDiscoverable), isTouchAtHand, result.id != Self.discoverableCase,
            let made = try? await makeAny(discoverable: true),
            let found = try? await assert(silently: true, rpID: made.relyingPartyID), found.status == .noCredentials
        {
            return
                "the authenticator does not find a new discoverable credential (\(found.status.specified)); see \(Self.discoverableCase)"
        }
        if result.deviations.count == 1, let words = await unreadableResponse(behind: result) { return words }
        if result.deviations.count == 1, let words = await silence(behind: result) { return words }
        let commands = state.withLock(\.refusedCommands)
        guard settings.comparison == nil, !commands.isEmpty, commands.count == result.deviations.count else {
            return nil
        }
        var words: [String] = []
        for command in Set(commands).sorted(by: { $0.rawValue < $1.rawValue }) {
            guard Self.plainCases[command] != result.id, let status = try? await refusal(ofValid: command) else {
                return nil
            }
            let place = Self.plainCases[command].map { ", see \($0)" } ?? ""
            words.append("the valid request \(command) is refused, too, with \(status.specified)\(place)")
        }
        return words.joined(separator: "; ")
    }

    /// The demand that an error breaks.
    ///
    /// A decoder that gives no item follows RFC 8949; the answer is a demand of CTAP. The form of a report has its own
    /// clause, also where the case expects no answer.
    package func demand(brokenBy error: any Error, in single: CaseDescription) -> BrokenDemand {
        switch error {
        case is CTAPHIDFramingError: BrokenDemand("only packets of CTAPHID's form", .ctap("11.2.4"))
        case CTAPDeviceError.timedOut where single.clause.specification == .rfc8949:
            BrokenDemand("an answer", .ctap("8"))
        default: BrokenDemand()
        }
    }

    /// A command whose response the case could not read, and whose response to a valid request cannot be read either.
    private func unreadableResponse(behind result: CaseResult) async -> String? {
        guard settings.comparison == nil, let command = state.withLock(\.unreadable),
            Self.responseCases[command] != result.id, Self.plainCases[command] != result.id,
            let request = try? await validRequest(command),
            let answer = try? await send(command, request.parameters), answer.status == .ok
        else { return nil }
        if answer.cbor == nil, let judge = Self.responseCases[command] {
            return "the response to the valid request \(command) cannot be read, see \(judge)"
        }
        guard let problem = answer.formProblem, let judge = Self.plainCases[command] else { return nil }
        return "the response to the valid request \(command) is \(problem), see \(judge)"
    }

    /// A command that the case got no answer to, where its valid request gets none either; the next cases do not send it.
    private func silence(behind result: CaseResult) async -> String? {
        guard settings.comparison == nil, let command = state.withLock(\.unanswered),
            let judge = Self.plainCases[command], judge != result.id,
            let request = try? await validRequest(command), neverSucceeded(request.kind)
        else { return nil }
        do {
            _ = try await send(command, request.parameters)
            return nil
        } catch CTAPDeviceError.timedOut {
            let words = "the authenticator does not answer the valid request \(command), see \(judge)"
            state.withLock { $0.silentCommands[command] = words }
            return words
        } catch {
            return nil
        }
    }

    /// Whether a kind of request never had a success; after one, a disturbed device may be the reason for its failure.
    private func neverSucceeded(_ kind: RequestKind) -> Bool {
        state.withLock { !$0.acceptedRequests.contains(kind) }
    }

    /// The cases that are about the encoding of a response, by command.
    private static let responseCases: [CTAPCommand: String] = [
        .getInfo: "cbor.getInfo.response", .makeCredential: "cbor.makeCredential.response",
        .getAssertion: "cbor.getAssertion.response",
        .clientPIN: "cbor.clientPIN.response", .credentialManagement: "cbor.credentialManagement.response",
        .bioEnrollment: "cbor.bioEnrollment.response", .largeBlobs: "cbor.largeBlobs.response",
    ]

    /// A request of a kind that the case saw refused and that had a success before, with the status that refuses it now.
    func forgottenRequest() async throws -> (kind: RequestKind, status: CTAPStatus)? {
        let (commands, accepted) = state.withLock { ($0.suspectCommands, $0.acceptedRequests) }
        for command in commands.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard accepted.contains(where: { $0.command == command }),
                let request = try await validRequest(command), accepted.contains(request.kind)
            else { continue }
            let status = try await send(command, request.parameters).status
            if status != .ok { return (request.kind, status) }
        }
        return nil
    }

    /// The status that refuses a valid request; nil for a success, and for a command whose valid request changes settings.
    private func refusal(ofValid command: CTAPCommand) async throws -> CTAPStatus? {
        guard let request = try await validRequest(command), neverSucceeded(request.kind) else { return nil }
        let status = try await send(command, request.parameters).status
        return status == .ok ? nil : status
    }

    struct ValidRequest {
        let kind: RequestKind
        let parameters: CBOR.Map?

        init(_ command: CTAPCommand, _ parameters: CBOR.Map? = nil) {
            kind = RequestKind(command, parameters)
            self.parameters = parameters
        }
    }

    /// A request of a command that the authenticator should accept; nil for one that the bench cannot make now.
    func validRequest(_ command: CTAPCommand) async throws -> ValidRequest? {
        switch command {
        case .makeCredential where isTouchAtHand:
            return ValidRequest(command, try await authorized(makeCredential: makeCredentialParameters()))
        case .getAssertion:
            let credential = try await sharedCredential()
            let isSilent = state.withLock(\.isSharedSilent)
            guard isSilent || isTouchAtHand else { return nil }
            var parameters = try await authorized(
                getAssertion: getAssertionParameters(allowing: [credential]), verified: false)
            if isSilent { parameters[5] = ["up": false] }
            return ValidRequest(command, parameters)
        case .clientPIN: return ValidRequest(command, request(.getKeyAgreement, try preferredProtocol))
        case .credentialManagement, .credentialManagementPreview:
            let token = try await managementToken(.credentialManagement)
            return token.map { ValidRequest(command, manageRequest(.getCredsMetadata, token: $0)) }
        case .bioEnrollment, .bioEnrollmentPreview:
            let subcommand = BioEnrollmentSubcommand.getFingerprintSensorInfo.rawValue
            return ValidRequest(command, enrolRequest(subcommand, token: nil))
        case .largeBlobs: return ValidRequest(command, [0x01: 17, 0x03: 0])
        case .getInfo: return ValidRequest(command)
        default: return nil
        }
    }

    private var isTouchAtHand: Bool {
        isSimulated || settings.isAlwaysTouched || settings.touching != nil || settings.isAttended
    }
}

/// A kind of request: its command, and the PIN/UV auth protocol of the code that authorises it.
struct RequestKind: Hashable, CustomStringConvertible {
    let command: CTAPCommand
    /// nil for a request without a code; 0 for a code that names no protocol.
    let codeProtocol: Int?

    init(_ command: CTAPCommand, _ parameters: CBOR.Map?) {
        self.command = command
        let place: Int? =
            switch command {
            case .makeCredential: 0x08
            case .getAssertion: 0x06
            default: nil
            }
        codeProtocol = place.flatMap { place in
            guard let parameters, parameters[place] != nil else { return nil }
            guard case .unsigned(let number)? = parameters[place + 1] else { return 0 }
            return Int(clamping: number)
        }
    }

    var description: String { codeProtocol != nil ? "\(command) with a pinUvAuthParam" : "\(command)" }
}
