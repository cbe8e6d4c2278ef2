package import Biometrics
package import Causes

/// An interface that reports outcomes: LAError, BiometricPrompt, CTAP, an SDK.
package struct PlatformInterface: Hashable, Sendable {
    /// The kind of caller an interface reports to.
    package enum Kind: String, Sendable, CaseIterable, Codable {
        /// A page.
        case web
        /// A platform or a library below the apps.
        case `protocol`
        /// An app, through its operating system's API.
        case platform
        /// An app, through a third-party package.
        case sdk
        /// A caller that receives hints about samples the sensor could not compare.
        case hint
    }

    /// The name in the table, such as `la-error`.
    package let id: String
    /// The display name, such as `LAError`.
    package let name: String
    /// Other names in logs: an error's domain, the package of a class; with a `*` at the end, the beginning of a name.
    package let domains: [String]
    /// The prefixes of codes' names in logs, such as `FIDO_ERR_`; a name with one belongs to this interface.
    package let prefixes: [String]
    /// How logs print a number of this interface, with `#` for the number.
    package let forms: [String]
    /// Other names of its codes, such as those of older headers, with the code's name.
    package let otherNames: [String: String]
    /// The sentences that report a code, by the code's name.
    package let texts: [String: [String]]
    /// The names and the sentences that other programs also write.
    package let general: Set<String>
    /// The causes that come first where several share a code, the likeliest first, by the code's name.
    package let likely: [String: [Cause]]
    /// The next step for a code whose causes do not say it, by the code's name.
    let advices: [String: String]
    /// The caller it reports to, and when.
    package let about: String
    package let kind: Kind
    /// The platforms it exists on.
    package let platforms: Set<Platform>
    /// The operations it distinguishes; empty when the codes do not depend on the operation.
    package let operations: [PlatformOperation]
    /// The kind of sensor it reports about; nil for any.
    package let modality: BiometricModality?
    /// Whether its numbers are written in hexadecimal.
    package let isHexadecimal: Bool
    /// The sources of its codes, as keys of ``PlatformErrorTable/sources``.
    package let sources: [String]
    /// The codes, in the order of the table.
    package let codes: [PlatformErrorCode]
    /// The codes of other interfaces that its own codes stand for.
    let origins: [PlatformCodeOrigin]
    /// The sentences that an app gets with its codes.
    let messages: PlatformMessages

    /// The names by which logs call the interface.
    package var loggedNames: [String] { [name, id] + domains }

    /// The next step for a code whose causes do not say it.
    package func advice(about code: PlatformErrorCode) -> String? { advices[code.name] }

    /// A number in the interface's notation.
    package func written(_ number: Int) -> String {
        guard isHexadecimal, number >= 0 else { return String(number) }
        let digits = String(number, radix: 16, uppercase: true)
        return "0x" + (digits.count.isMultiple(of: 2) ? "" : "0") + digits
    }

    /// The number or the range of numbers of a code in the interface's notation; nil for a code without a number.
    package func written(_ code: PlatformErrorCode) -> String? {
        code.number.map { written($0) + (code.last.map { "–" + written($0) } ?? "") }
    }
}

/// A code of an interface: a name, and a number if the interface has one.
package struct PlatformErrorCode: Hashable, Sendable {
    package let name: String
    package let number: Int?
    /// The last number of a code that stands for a range.
    package internal(set) var last: Int? = nil
    /// Whether no public source confirms the number.
    package let isUnverified: Bool
}

/// A code of one interface that another interface, such as an SDK's, reports as a code of its own.
struct PlatformCodeOrigin: Hashable, Sendable {
    /// The code that is reported.
    let code: PlatformErrorCode
    /// The name of the interface that the translated code belongs to.
    let interface: String
    /// The name of the translated code.
    let name: String
    /// The only operation the translation holds for; nil for every one.
    let operation: PlatformOperation?
    /// Whether no public source confirms the translation.
    let isUnverified: Bool
}

/// An operation requested through an interface.
package enum PlatformOperation: String, Sendable, CaseIterable, Codable {
    /// Create a passkey.
    case create
    /// Sign in with a passkey.
    case get
    case verify
    /// Check whether the user can be verified.
    case check
    /// Read an item that a sensor protects.
    case read
    /// Make a key or store an item that a sensor protects.
    case store
    /// Get a pinUvAuthToken by built-in verification or a PIN.
    case token
    /// Verify the user with the `uv` option of a request.
    case option

    /// The operations whose errors the caller of this operation receives: an app that reads a secret receives the errors
    /// of its prompt, an app that asks for a passkey does not.
    var reportedWith: Set<PlatformOperation> {
        switch self {
        case .create, .get, .token, .option: [self, .token, .option]
        case .verify: [.verify, .check]
        case .check, .store: [self]
        case .read: [.read, .verify, .check]
        }
    }
}

extension PlatformError {
    package func reachesCaller(during operation: PlatformOperation) -> Bool {
        guard let interface = PlatformErrorTable.shared.interface(interface) else { return false }
        if let own = self.operation { return operation.reportedWith.contains(own) }
        return interface.operations.isEmpty || !operation.reportedWith.isDisjoint(with: interface.operations)
    }
}
