/// What one terminal tells a device that runs in another: one line of JSON each way over a Unix socket.
package struct ControlRequest: Hashable, Sendable, Codable {
    /// What to do.
    package enum Command: String, Sendable, Codable, CaseIterable {
        /// Tell the person an act, in ``argument``.
        case present
        /// Pull a device on USB out.
        case unplug
        /// Plug it in again.
        case plugIn = "plug-in"
        /// Lay a device on its NFC reader.
        case tap
        /// Take it off, now or in the middle of the command that comes as the ``ControlRequest/times``th.
        case remove
        /// Say how the device is.
        case status
        /// Do what the word in ``argument`` says, with ``ControlRequest/arguments``: an act of `DeviceAct.vocabulary`.
        case act
        /// Write everything the device remembers to a new state file, whose absolute path is ``argument``.
        case snapshot
        /// Make the device what it was, or another of its kind was, when the state file at ``argument`` was written.
        case restore
    }

    /// What to do.
    package var command: Command
    /// What to do it with: the word of an act, or the absolute path of a state file; nil where there is nothing to say.
    package var argument: String?
    /// What the act needs to be told, by the names of its verb's parameters.
    package var arguments: [String: String]?
    /// Which command, for ``Command/remove``.
    package var times: Int?

    /// Asks for anything but an act of `DeviceAct.vocabulary`.
    package init(_ command: Command, argument: String? = nil, times: Int? = nil) {
        self.command = command
        self.argument = argument
        self.times = times
    }

    /// Asks for an act of `DeviceAct.vocabulary`.
    package init(act word: String, _ arguments: [String: String] = [:]) {
        self.init(.act, argument: word)
        self.arguments = arguments
    }
}

/// The answer to a ``ControlRequest``.
package struct ControlResponse: Hashable, Sendable, Codable {
    /// Why it was not done; nil when it was.
    package var error: String?
    /// Why an act came to nothing, as the table of faces names it or in words; nil when it did not.
    package var refusal: String?
    /// How the device is now.
    package var status: DeviceStatus?

    /// An answer of these parts.
    package init(error: String? = nil, refusal: String? = nil, status: DeviceStatus? = nil) {
        self.error = error
        self.refusal = refusal
        self.status = status
    }
}

/// How a running device is.
package struct DeviceStatus: Hashable, Sendable, Codable {
    /// What it is called.
    package var name: String
    /// The name of its profile.
    package var profile: String
    /// Where it keeps its state; nil for a device that forgets everything with its process.
    package var stateFile: String?
    /// The process it runs in.
    package var processID: Int32
    /// The UDP port it listens on, if it does.
    package var udpPort: Int?
    /// How it shows on the USB bus, if it does.
    package var usb: USB?
    /// Whether it lies on its NFC reader; nil for a device that has none.
    package var isOnReader: Bool?
    /// Seconds since it was given power.
    package var uptimeSeconds: Double
    /// Its discoverable credentials.
    package var credentials: [Credential]
    /// Whether a client PIN can be set at all.
    package var hasClientPIN: Bool
    /// Whether a client PIN is set.
    package var isPINSet: Bool
    /// How many wrong PINs are left before the PIN is blocked for good (CTAP 2.3 §6.5.5.2).
    package var pinRetries: Int
    /// Whether three wrong PINs in a row have blocked the PIN until the device loses its power (CTAP 2.3 §6.5.5.2).
    package var needsPowerCycle: Bool
    /// How many failed built-in user verifications are left before it is blocked (CTAP 2.3 §6.5.5.3).
    package var uvRetries: Int
    /// The lockout's label; nil for a device without a gate.
    package var lockout: String?
    /// Seconds until a timed lockout ends.
    package var lockoutSecondsLeft: Double?
    /// How many samples in a row the sensor did not know.
    package var failedAttempts: Int
    /// The first sensor's modality and availability; nil for a device that has none.
    package var sensor: String?
    /// The names of the templates enrolled at that sensor.
    package var enrolled: [String]
    /// Every sensor, the first one among them; nil from a device of an earlier version.
    package var sensors: [Sensor]?
    /// What unlocks the device; nil when nothing is set, or from a device of an earlier version.
    package var deviceCredential: DeviceCredential?
    /// What it does wrong on purpose.
    package var faults: [String]
    /// What the device waits for, if it waits.
    package var waitingFor: String?
    /// Acts the person was told and has not been asked for yet.
    package var planned: [String]
    /// Screen, network and apps; nil for a security key.
    package var life: Life?
    /// What the act that this follows was told, such as the secret that was read.
    package var answer: String?
    /// Why the act that this follows came to nothing; nil when it did not, or none came before.
    package var refusal: String?

    /// What a phone or computer is besides its authenticator.
    package struct Life: Hashable, Sendable, Codable {
        /// `locked` or `unlocked`.
        package var screen: String
        /// `online` or `offline`.
        package var network: String
        /// Where each app is: `foreground`, `background`, `killed` or `absent`.
        package var apps: [String: String]
        /// What is in secure storage, another app's items with the app before the name.
        package var items: [String]
    }

    /// A key on the USB bus.
    package struct USB: Hashable, Sendable, Codable {
        /// USB's idVendor.
        package var vendorID: UInt16
        /// USB's idProduct.
        package var productID: UInt16
        /// What it calls itself on the bus.
        package var name: String
        /// Whether it is in its socket.
        package var isPluggedIn: Bool
        /// Its hidraw node, while it is plugged in and the kernel has made it.
        package var node: String?
    }

    /// A discoverable credential.
    package struct Credential: Hashable, Sendable, Codable {
        /// The relying party it is for.
        package var relyingPartyID: String
        /// The user's account name, if it was given.
        package var user: String?
        /// The value of its signature counter.
        package var signCount: UInt32
    }
}
