package import Biometrics

/// One interface through which an outcome is told: LAError, BiometricPrompt, CTAP, an SDK.
package struct PlatformInterface: Hashable, Sendable {
    /// Who looks through an interface.
    package enum Kind: String, Sendable, CaseIterable, Codable {
        /// A page.
        case web
        /// A platform or a library, below the apps.
        case `protocol`
        /// An app, through what its operating system offers.
        case platform
        /// An app, through a package of somebody else's.
        case sdk
        /// Whoever is told about samples that could not be compared.
        case hint
    }

    /// Its name in the table, such as `la-error`.
    package let id: String
    /// Its name as people know it, such as `LAError`.
    package let name: String
    /// Who hears it, and when.
    package let about: String
    /// Who looks through it.
    package let kind: Kind
    /// Where it exists.
    package let platforms: Set<Platform>
    /// What one can ask through it; empty where that makes no difference.
    package let operations: [PlatformOperation]
    /// The sensor it speaks of; nil for any.
    package let modality: BiometricModality?
    /// Whether its numbers are written in hexadecimal.
    package let isHexadecimal: Bool
    /// Where its codes are defined, as keys of ``PlatformErrorTable/sources``.
    package let sources: [String]
    /// Its codes, in the order of the table.
    package let codes: [PlatformErrorCode]

    /// A number as this interface writes it.
    package func written(_ number: Int) -> String {
        guard isHexadecimal, number >= 0 else { return String(number) }
        let digits = String(number, radix: 16, uppercase: true)
        return "0x" + (digits.count.isMultiple(of: 2) ? "" : "0") + digits
    }
}

/// A name an interface has for something, and its number if it has one.
package struct PlatformErrorCode: Hashable, Sendable {
    package let name: String
    package let number: Int?
    /// Whether no public source confirms the number.
    package let isUnverified: Bool
}

/// What was asked through an interface.
package enum PlatformOperation: String, Sendable, CaseIterable, Codable {
    /// To make a passkey.
    case create
    /// To sign in with one.
    case get
    /// To verify the person.
    case verify
    /// Whether they could be verified.
    case check
    /// To read what is stored behind the sensor.
    case read
    /// For a pinUvAuthToken, by built-in verification or a PIN.
    case token
    /// To verify the person with the `uv` option of a request.
    case option

    /// What else is told to the one who asks this: an app that reads a secret hears of the prompt it leads to, and one
    /// that asks for a passkey does not.
    var heardWith: Set<PlatformOperation> {
        switch self {
        case .create, .get, .token, .option: [self, .token, .option]
        case .verify, .check: [.verify, .check]
        case .read: [.read, .verify, .check]
        }
    }
}

extension PlatformError {
    /// Whether the one who asked for an operation hears it.
    package func isHeard(during operation: PlatformOperation) -> Bool {
        guard let interface = PlatformErrorTable.shared.interface(interface) else { return false }
        return interface.operations.isEmpty || !operation.heardWith.isDisjoint(with: interface.operations)
    }
}
