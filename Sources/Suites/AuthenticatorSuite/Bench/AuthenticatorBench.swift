package import CBOR
internal import COSE
package import CTAP
internal import CTAPHID
internal import CTAPNFC
package import Conformance
package import DeviceProfiles
package import KeyBench
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator
internal import WebAuthn

/// An authenticator under test: its messages, its declarations in getInfo, its PIN, its user, and the layers beneath its
/// messages where the transport shows it.
package final class AuthenticatorBench: ConformanceBench {
    /// The decisions of a run's user.
    package struct Settings: Sendable {
        /// The PIN of the key; nil where it has none or the user keeps it.
        package var pin: String?
        /// Whether the bench may set a PIN and erase the key, as it always may with a simulated device.
        package var mayChange = false
        /// The random seed of a simulated device; nil for system randomness.
        package var seed: UInt64?
        /// Whether touches come by themselves, as from a machine or a simulated user, so that none can be withheld.
        package var isAlwaysTouched = false
        /// Whether a person is there who can unplug the key.
        package var isAttended = true
        /// Touches the key when it asks for a touch; nil where a person does.
        package var touching: Touching?
        /// Unplugs the key and plugs it in again; nil where a person does.
        package var replug: (@Sendable () async throws -> Void)?
        /// The longest wait for an answer of a key on USB or UDP, the touch included.
        package var answerLimit = CTAPHIDClient.exchangeLimit
        /// The metadata statement of the model; nil where the user gives none.
        package var metadata: StatedMetadata?
        /// Makes the run part of a comparison of devices: the device is taken as it is, gets no PIN, and gets the same
        /// requests as every other one; a request that waits for a needless touch is cancelled.
        var comparison: Comparison?
        /// Shows a person one line: the act to do now.
        package var instruct: @Sendable (String) -> Void = { _ in }

        package init() {}

        /// A machine that touches the key.
        package struct Touching: Sendable {
            let touch: @Sendable () async throws -> Void
            /// Ends the touch, after the answer; nil where a touch ends by itself.
            let release: (@Sendable () async throws -> Void)?

            package init(
                touch: @escaping @Sendable () async throws -> Void, release: (@Sendable () async throws -> Void)?
            ) {
                (self.touch, self.release) = (touch, release)
            }
        }

        /// The observations of a run, for a comparison of devices.
        struct Comparison: Sendable {
            /// The clock that measures durations.
            let now: @Sendable () -> Duration
            /// Is called when the device waits for a touch that it needs, and after its answer.
            let onKeepalive: @Sendable (KeepaliveStatus) -> Void
            let onExchange: @Sendable (DeviceAnswers.Exchange) -> Void
        }
    }

    struct State {
        var info: AuthenticatorInfo
        /// The members of that answer, also those that cannot be read.
        var infoMembers: CBOR.Map
        /// Whether no answer to getInfo could be read, so that `info` is assumed.
        var isInfoAssumed = false
        /// Whether the next request gets no touch.
        var isTouchWithheld = false
        /// Whether the PIN has given a token in the run.
        var hasHadToken = false
        /// The reason why the machine that touches the key did not; nil while it works.
        var machineFailure: String?
        /// The reason why an answer came too late for the run's limit; nil while all are in time.
        var lateAnswer: String?
        /// Whether a command may have changed getInfo.
        var isInfoStale = false
        var pin: String?
        /// Whether the last reset left a PIN.
        var keepsPIN = false
        var recorder: CaseRecorder?
        /// Discoverable credentials to delete after the case.
        var leftovers: [BenchCredential] = []
        /// The credential that several cases look at.
        var shared: BenchCredential?
        /// Whether the authenticator signs with it without a touch.
        var isSharedSilent = false
        /// The device as messages reach it now; nil for the link's own way.
        var route: (any CTAPDevice)?
        var randomness: any RandomSource = SystemRandomSource()
        /// The commands of the case whose refusal was not expected.
        var suspectCommands: Set<CTAPCommand> = []
        /// The command of each deviation of the case that is a refusal, of a wrong request with another status than demanded or
        /// of a valid one.
        var refusedCommands: [CTAPCommand] = []
        /// The command of the case whose response has no map.
        var unreadable: CTAPCommand?
        /// The command of the case that got no answer in time.
        var unanswered: CTAPCommand?
        /// The commands whose valid requests get no answer, with the sentences that say so.
        var silentCommands: [CTAPCommand: String] = [:]
        var caseID: String?
        /// The kinds of requests that had a success in the run.
        var acceptedRequests: Set<RequestKind> = []
        var caseNumber = 0
        var needsPerson = false
        /// Whether the case made a discoverable credential.
        var madeDiscoverable = false
        /// Whether the next message is the first one after a power cycle; never in a comparison.
        var isFresh = false
        /// Whether the authenticator answers no command before getInfo after a power cycle.
        var needsInfoFirst = false

        /// The reason not to send a command in the case; nil in the case about its valid request.
        func silence(of command: CTAPCommand) -> String? {
            guard let caseID, AuthenticatorBench.plainCases[command] != caseID else { return nil }
            return silentCommands[command]
        }
    }

    let link: AuthenticatorLink
    let settings: Settings
    let state: Mutex<State>
    /// Up to three characters in the names of this run's relying parties, because an earlier run may have left credentials.
    ///
    /// Nil for a simulated device, and in a comparison, in which each device gets the same requests.
    let runTag: String?
    /// The reports beneath CTAPHID; nil where the transport has none or hides them.
    package let reports: HIDChannel?
    /// The APDUs beneath CTAP over NFC; nil where the transport has none.
    package let card: CardChannel?

    private init(
        _ link: AuthenticatorLink, _ settings: Settings, _ info: AuthenticatorInfo, _ answer: AuthenticatorAnswer
    ) {
        self.link = link
        self.settings = settings
        state = Mutex(State(info: info, infoMembers: answer.map, pin: settings.pin))
        if answer.status == .ok { state.withLock { _ = $0.acceptedRequests.insert(RequestKind(.getInfo, nil)) } }
        let isOwn = link.simulation != nil || settings.comparison != nil
        let number = SystemRandomSource().bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        runTag = isOwn ? nil : String(number % (36 * 36 * 36), radix: 36)
        reports = link.reports.map(HIDChannel.init)
        card = link.apdus.map(CardChannel.init)
    }

    /// Opens an authenticator; one that does not describe itself counts as one of CTAP 2.0, and the cases about getInfo fail.
    ///
    /// - Throws: `CTAPDeviceError` when it cannot be reached.
    package static func open(_ device: BenchDevice, settings: Settings = Settings()) async throws -> AuthenticatorBench
    { try await open(try await AuthenticatorLink.open(device.place, settings), settings) }

    package static func open(
        _ profile: DeviceProfile, settings: Settings = Settings()
    ) async throws -> AuthenticatorBench {
        try await open(try await AuthenticatorLink.simulated(profile, seed: settings.seed), settings)
    }

    static func open(_ link: AuthenticatorLink, _ settings: Settings) async throws -> AuthenticatorBench {
        let bytes: [UInt8]
        do {
            bytes = try await link.device.transceive([CTAPCommand.getInfo.rawValue])
        } catch {
            guard await link.answersU2F() else { throw error }
            bytes = [CTAPStatus.invalidCommand.rawValue]
        }
        let answer = AuthenticatorAnswer(bytes, to: .getInfo)
        let info: AuthenticatorInfo
        if answer.status == .ok, let readable = try? AuthenticatorInfo(readable: answer.map) {
            info = readable
        } else if answer.status == .invalidCommand, await link.answersU2F() {
            info = AuthenticatorInfo(versions: ["U2F_V2"], aaguid: .zero)
        } else {
            let bench = AuthenticatorBench(
                link, settings, AuthenticatorInfo(versions: ["FIDO_2_0"], aaguid: .zero), answer)
            bench.state.withLock { $0.isInfoAssumed = true }
            return bench
        }
        return AuthenticatorBench(link, settings, info, answer)
    }

    /// Opens a device as it is, for a comparison; one that does not describe itself counts as one of CTAP 2.1.
    static func compared(_ device: any CTAPDevice, _ settings: Settings) async throws -> AuthenticatorBench {
        let plain = AuthenticatorInfo(versions: ["FIDO_2_0", "FIDO_2_1"], aaguid: .zero)
        let link = AuthenticatorLink(device: device, powerCycle: nil, close: {})
        let bench = AuthenticatorBench(
            link, settings, plain, AuthenticatorAnswer([CTAPStatus.other.rawValue], to: .getInfo))
        try await bench.readInfo()
        return bench
    }

    package func close() async { await link.close() }

    // MARK: Its declarations

    /// Whether no answer to getInfo could be read, so that ``info`` is that of a device of CTAP 2.0.
    package var isInfoAssumed: Bool { state.withLock(\.isInfoAssumed) }

    package var info: AuthenticatorInfo { state.withLock { $0.info } }

    /// The members of the last answer to getInfo, also those that cannot be read.
    package var infoMembers: CBOR.Map { state.withLock { $0.infoMembers } }

    package func has(_ option: InfoOption) -> Bool { info.option(option) == true }

    package func supports(_ name: String) -> Bool { info.extensions?.contains(name) ?? false }

    package var isProtected: Bool { has(.clientPin) || has(.uv) }

    /// Whether the run is part of a comparison of devices.
    var isCompared: Bool { settings.comparison != nil }

    package var isSimulated: Bool { link.simulation != nil }

    /// Whether the device follows the rules of a USB device, which simulators over UDP relax.
    package var isOnBus: Bool { link.isOnBus }

    package var mayChange: Bool { isSimulated || settings.mayChange }

    @discardableResult
    package func readInfo() async throws -> AuthenticatorInfo {
        try await renewInfo()
        return info
    }

    /// Asks for getInfo, and keeps the answer if it can be read.
    @discardableResult
    func renewInfo() async throws -> CTAPStatus {
        let answer = try await send([CTAPCommand.getInfo.rawValue])
        if answer.status == .ok, let info = try? AuthenticatorInfo(readable: answer.map) {
            state.withLock { state in
                (state.info, state.infoMembers) = (info, answer.map)
                (state.isInfoStale, state.isInfoAssumed) = (false, false)
            }
        }
        return answer.status
    }

    /// Whether the authenticator was seen to answer no command before getInfo after a power cycle.
    var needsInfoFirst: Bool { state.withLock(\.needsInfoFirst) }

    // MARK: Cases

    var recorder: CaseRecorder? { state.withLock { $0.recorder } }

    /// The same; outside a case a record that no report shows.
    var record: CaseRecorder { recorder ?? CaseRecorder(level: .may) }

    package func begin(_ description: CaseDescription, _ recorder: CaseRecorder) async throws {
        state.withLock { state in
            state.recorder = recorder
            (state.refusedCommands, state.suspectCommands, state.madeDiscoverable) = ([], [], false)
            (state.unreadable, state.unanswered, state.caseID) = (nil, nil, description.id)
            state.caseNumber += 1
            state.needsPerson = !description.person.isEmpty
            guard settings.comparison != nil else { return }
            // The same for every device, whichever cases it lacks.
            let number = description.id.utf8.reduce(UInt64(7)) { ($0 &* 31 &+ UInt64($1)) % 1_000_000_007 }
            state.caseNumber = Int(number)
            state.randomness = SeededRandomSource(seed: number)
        }
        if runTag != nil { recorder.mask(relyingPartyID, as: "RP ID") }
        await reports?.begin(recorder)
        card?.begin(recorder)
        await forgetPlannedActs()
    }

    package func end(_ description: CaseDescription) async throws {
        await forgetPlannedActs()
        // Tidying up says nothing about the case.
        state.withLock { ($0.recorder, $0.needsPerson, $0.caseID) = (nil, false, nil) }
        await reports?.begin(nil)
        card?.begin(nil)
        try await deleteLeftovers()
        if state.withLock({ $0.isInfoStale }) { try await readInfo() }
    }
}
