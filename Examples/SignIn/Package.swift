// swift-tools-version: 6.2
import PackageDescription

// The app's tests compile it with one changed import: SimulatedAppleNames in place of Apple's frameworks. On Linux the
// package always uses it; on Apple's systems a variable selects it: SIMULATED_PHONE=1 swift test.
#if os(Linux)
let isSimulated = true
#else
let isSimulated = Context.environment["SIMULATED_PHONE"] != nil
#endif

// An app outside this repository names the repository's address instead of a path.
let touchstone = Package.Dependency.package(name: "touchstone-bench", path: "../..", traits: [])
let appleNames = Target.Dependency.product(name: "SimulatedAppleNames", package: "touchstone-bench")
let phone = Target.Dependency.product(name: "SimulatedPhone", package: "touchstone-bench")

let package = Package(
    name: "SignIn",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [.library(name: "SignIn", targets: ["SignIn"])],
    dependencies: isSimulated ? [touchstone] : [],
    targets: [
        .target(
            name: "SignIn", dependencies: isSimulated ? [appleNames] : [],
            swiftSettings: isSimulated ? [.define("SIMULATED_PHONE")] : [])
    ] + (isSimulated ? [.testTarget(name: "SignInTests", dependencies: ["SignIn", appleNames, phone])] : []))
