public import Foundation

/// The calls of `UserDefaults` that the app makes.
public protocol KeyValues: AnyObject {
    /// The string of a key.
    func string(forKey key: String) -> String?
    /// The bytes of a key.
    func data(forKey key: String) -> Data?
    /// Stores a value; nil removes it.
    func set(_ value: Any?, forKey key: String)
}

extension UserDefaults: KeyValues {}

/// The app's settings outside the Keychain, which the system removes with the app.
@MainActor
public struct AppSettings {
    private let values: any KeyValues

    /// The settings in a store.
    public init(_ values: any KeyValues) { self.values = values }

    /// Whether the app has run since its installation.
    public var hasLaunched: Bool {
        get { values.string(forKey: "hasLaunched") != nil }
        nonmutating set { values.set(newValue ? "yes" : nil, forKey: "hasLaunched") }
    }

    /// The account of the last sign-in; nil after signing out.
    public var account: String? {
        get { values.string(forKey: "account") }
        nonmutating set { values.set(newValue, forKey: "account") }
    }

    /// The state of the enrolled faces and fingers when the unlock was switched on; nil while it is off.
    public var enrolledState: Data? {
        get { values.data(forKey: "enrolledState") }
        nonmutating set { values.set(newValue, forKey: "enrolledState") }
    }
}
