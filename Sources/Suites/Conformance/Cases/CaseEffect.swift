/// A change that a case leaves in its subject, or risks.
package enum CaseEffect: String, Codable, CaseIterable, Sendable {
    /// Adds a discoverable credential and deletes it again.
    case addsCredential = "adds a credential and deletes it"
    /// Makes an account at a relying party.
    case makesAccount = "makes an account"
    /// Spends PIN or verification tries.
    case spendsTries = "spends tries"
    case changesPIN = "changes the PIN"
    /// Changes a setting that only a reset takes back.
    case changesSettings = "changes settings"
    /// Erases credentials, the PIN or fingerprints.
    case erases

    var words: String {
        switch self {
        case .addsCredential, .makesAccount, .spendsTries, .changesPIN, .changesSettings: rawValue
        case .erases: "erases the key"
        }
    }

    /// Whether a run performs it only with the user's permission.
    package var isDestructive: Bool {
        switch self {
        case .addsCredential, .makesAccount: false
        case .spendsTries, .changesPIN, .changesSettings, .erases: true
        }
    }
}

/// A thing that a person has to do during a case.
package enum ManualAct: String, Codable, CaseIterable, Sendable {
    case touch = "touch the key"
    case withholdTouch = "do not touch the key"
    case verify = "touch the sensor with an enrolled finger"
    case fail = "touch the sensor with another finger"
    case replug = "unplug the key and plug it in again"
    case tap = "take the key off the reader and put it back"
}
