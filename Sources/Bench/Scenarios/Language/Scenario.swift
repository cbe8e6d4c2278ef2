package import DeviceActs
package import SimulatedDevice

/// A story about devices, a relying party and an app, with what each of them should see.
package struct Scenario: Sendable {
    /// The file it was read from.
    package let file: String
    /// One line that says what happens.
    package let name: String
    /// Why it matters.
    package let about: String
    /// The requirements it shows, by identifier.
    package let requirements: [String]
    /// The devices in it: the name steps use, and the profile.
    package let devices: [(name: String, profile: String)]
    /// The lines they are on.
    let deviceLines: [Int]
    /// The people whose samples come out by rates, by the names of their devices; the others always match.
    let people: [String: RecognitionPlan]
    /// The accounts its devices sync their passkeys with.
    package let accounts: [Account]
    /// What happens, in order.
    package let steps: [ScenarioStep]

    /// An account of a passkey provider.
    package struct Account: Sendable {
        /// The line it is written on.
        package let line: Int
        /// What it is called.
        package let name: String
        /// The devices that belong to it from the start.
        package let devices: [String]
        /// How long a change is on its way.
        package let delay: Duration
    }
}

/// One thing that happens in a scenario.
package struct ScenarioStep: Sendable {
    /// The line it is written on.
    package let line: Int
    /// The word it is written with: a ``Verb``'s, or one of `DeviceAct.vocabulary`.
    package let word: String
    /// The device it happens on; nil for steps that need none.
    package let device: String?
    /// What the person at the device does, in order; afterwards they agree to everything.
    package let person: [PersonAct]
    /// The PINs they type, in order; afterwards they cancel.
    package let pins: [String]
    /// What happens to the device in the middle of the first prompt that the person has no act left for.
    package let meanwhile: [Happening]
    /// What happens.
    package let action: Action
    /// What should be seen afterwards.
    package let expectation: Expectation

    /// Something done to the device while its person is asked for something.
    package struct Happening: Sendable {
        /// The line it is written on.
        package let line: Int
        /// The word it is written with, one of `DeviceAct.vocabulary`.
        package let word: String
        /// What is done.
        package let act: DeviceAct
        /// What should come of it: outcome, cause and answer.
        package let expectation: Expectation
    }

    /// The verbs of the language besides those of `DeviceAct`.
    package enum Verb: String, Sendable, CaseIterable {
        /// Makes an account at the relying party.
        case createAccount = "create-account"
        /// Ends the session.
        case signOut = "sign-out"
        /// Registers a passkey.
        case register
        /// Signs in with a passkey.
        case signIn = "sign-in"
        /// Shows again who is there.
        case reauthenticate
        /// Lists the account's passkeys.
        case listPasskeys = "list-passkeys"
        /// Deletes one of them.
        case deletePasskey = "delete-passkey"
        /// Sets a client PIN.
        case setPIN = "set-pin"
        /// Changes the client PIN.
        case changePIN = "change-pin"
        /// Keeps what a device remembers.
        case snapshot
        /// Makes a device what it was.
        case restore
        /// Copies passkeys to another device.
        case sharePasskey = "share-passkey"
        /// Puts another device in this one's place.
        case replaceDevice = "replace-device"
        /// Sends authenticatorReset.
        case reset
        /// Stops the relying party and starts it again.
        case restartServer = "restart-server"
        /// Lets time pass.
        case wait
        /// Looks at a device.
        case check
    }

    /// What happens, with its particulars.
    package enum Action: Sendable {
        /// Makes an account and signs in to it.
        case createAccount(name: String, password: String?)
        /// Ends the session.
        case signOut
        /// begin, create(), complete.
        case register(Ceremony)
        /// begin, get(), complete.
        case signIn(Ceremony)
        /// The same within a session.
        case reauthenticate(Ceremony)
        /// Lists the account's passkeys.
        case listPasskeys
        /// The passkey at this place in the list, counted from 1.
        case deletePasskey(number: Int)
        /// Sets a client PIN.
        case setPIN(String)
        /// Changes the client PIN.
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
        /// Sends authenticatorReset.
        case reset
        /// Stops the relying party and starts it again on the same database.
        case restartServer
        /// Moves the clock.
        case wait(Duration)
        /// Only looks.
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
    package struct Ceremony: Hashable, Sendable {
        /// The account named at sign-in; nil leaves it to the passkey.
        package var account: String?
        /// How much user verification; nil takes the relying party's own choice.
        package var userVerification: String?
        /// How much a discoverable credential is wanted.
        package var residentKey: String?
        /// What attestation is asked for.
        package var attestation: String?
    }
}
