import ArgumentParser
import DeviceProfiles
internal import ProfileFiles

/// The profile a command works on.
struct ProfileArgument: ParsableArguments {
    @Argument(help: "The name of a profile, or the path of a profile file.", completion: .profiles)
    var profile: String

    func read() throws -> DeviceProfile { try ProfileLibrary.standard().profile(profile) }
}
