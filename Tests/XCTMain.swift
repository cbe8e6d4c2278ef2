import Testing

/// The program of the tests.
///
/// The package manager recognises the file's name. Without the file it looks for tests of XCTest in the index of the build, which
/// `scripts/build.sh` leaves out.
@main
struct Runner {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
