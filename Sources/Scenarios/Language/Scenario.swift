public import Devices

/// A story about devices, a relying party and an app, with what each of them should see.
public struct Scenario: Sendable {
    /// The file it was read from.
    public let file: String
    /// One line that says what happens.
    public let name: String
    /// Why it matters.
    public let about: String
    /// The requirements it shows, by identifier.
    public let requirements: [String]
    /// The devices in it: the name steps use, and the profile.
    public let devices: [(name: String, profile: String)]
    /// The lines they are on.
    let deviceLines: [Int]
    /// The people whose samples come out by rates, by the names of their devices; the others always match.
    let people: [String: RecognitionPlan]
    /// The accounts its devices sync their passkeys with.
    public let accounts: [Account]
    /// What happens, in order.
    public let steps: [ScenarioStep]

    /// An account of a passkey provider.
    public struct Account: Sendable {
        /// The line it is written on.
        public let line: Int
        /// What it is called.
        public let name: String
        /// The devices that belong to it from the start.
        public let devices: [String]
        /// How long a change is on its way.
        public let delay: Duration
    }
}

/// One thing that happens in a scenario.
public struct ScenarioStep: Sendable {
    /// The line it is written on.
    public let line: Int
    /// The word it is written with: a ``Verb``'s, or one of `DeviceAct.vocabulary`.
    public let word: String
    /// The device it happens on; nil for steps that need none.
    public let device: String?
    /// What the person at the device does, in order; afterwards they agree to everything.
    public let person: [PersonAct]
    /// The PINs they type, in order; afterwards they cancel.
    public let pins: [String]
    /// What happens to the device in the middle of the first prompt that the person has no act left for.
    public let meanwhile: [DeviceAct]
    /// What happens.
    public let action: Action
    /// What should be seen afterwards.
    public let expectation: Expectation

    /// The verbs of the language besides those of `DeviceAct`.
    public enum Verb: String, Sendable, CaseIterable {
        case createAccount = "create-account"
        case signOut = "sign-out"
        case register
        case signIn = "sign-in"
        case reauthenticate
        case listPasskeys = "list-passkeys"
        case deletePasskey = "delete-passkey"
        case setPIN = "set-pin"
        case changePIN = "change-pin"
        case snapshot
        case restore
        case sharePasskey = "share-passkey"
        case replaceDevice = "replace-device"
        case reset
        case restartServer = "restart-server"
        case wait
        case check
    }

    /// What happens, with its particulars.
    public enum Action: Sendable {
        case createAccount(name: String, password: String?)
        case signOut
        case register(Ceremony)
        case signIn(Ceremony)
        case reauthenticate(Ceremony)
        case listPasskeys
        /// The passkey at this place in the list, counted from 1.
        case deletePasskey(number: Int)
        case setPIN(String)
        case changePIN(from: String, to: String)
        /// Something is done to the device.
        case act(DeviceAct)
        /// Keeps everything the device remembers under a name.
        case snapshot(name: String)
        /// Makes the device what it, or another of its kind, was then.
        case restore(name: String)
        /// Copies passkeys to another device.
        case sharePasskey(PasskeyFilter, to: String)
        /// Another device takes its place.
        case replaceDevice(by: String)
        case reset
        case restartServer
        case wait(Duration)
        case check
    }

    /// The second device of a step between two.
    var other: String? {
        switch action {
        case .sharePasskey(_, let other), .replaceDevice(let other): other
        default: nil
        }
    }

    /// What a relying party is asked to ask for.
    public struct Ceremony: Hashable, Sendable {
        /// The account named at sign-in; nil leaves it to the passkey.
        public var account: String?
        /// How much user verification; nil takes the relying party's own choice.
        public var userVerification: String?
        /// How much a discoverable credential is wanted.
        public var residentKey: String?
        /// What attestation is asked for.
        public var attestation: String?
    }
}
