internal import DeviceProfiles

extension DeviceProfile {
    /// The built-in profile with a name; an error for an unknown name has the nearest ones.
    static func builtIn(_ name: String) throws -> DeviceProfile { try ProfileLibrary.standard().profile(name) }
}
