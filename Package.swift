// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// For every target: Swift 6 language mode; warnings are errors; an import states its access level.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioWebSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let realModule = Target.Dependency.product(name: "RealModule", package: "swift-numerics")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let jwtKit = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")

/// C libraries that Apple's systems do not have, for the rooms of the library products.
///
/// With the trait off, and on other systems than Linux, the rooms do without: see `COSE.Algorithm.supported` and
/// `WebAuthnClient`.
let systemLibrariesTrait = "SystemLibraries"
let systemLibrariesFlag: [SwiftSetting] = [
    .define("SYSTEM_LIBRARIES", .when(platforms: [.linux], traits: [systemLibrariesTrait]))
]

/// A C library that a room has with the trait.
func optional(_ library: String) -> Target.Dependency {
    .target(name: library, condition: .when(platforms: [.linux], traits: [systemLibrariesTrait]))
}

/// The floors of `Sources/`, lowest first.
///
/// A room imports only rooms of its own floor and of lower ones, and exactly those it declares here. `make lint` checks
/// both.
enum Floor: String {
    case system = "System"
    case text = "Text"
    case protocols = "Protocol"
    case authenticator = "Authenticator"
    case relyingParty = "RelyingParty"
    case transports = "Transports"
    case devices = "Devices"
    case services = "Services"
    case records = "Records"
    case live = "Live"
    case suites = "Suites"
    case scenarios = "Scenarios"
    case measures = "Measures"
    case assistants = "Assistants"
    case commandLine = "CommandLine"

    /// A module in `Sources/FLOOR/NAME`.
    func room(
        _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
        flags: [SwiftSetting] = [], plugins: [Target.PluginUsage] = []
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: "Sources/\(rawValue)/\(name)", exclude: exclude,
            swiftSettings: settings + flags, plugins: plugins)
    }

    /// A C library of the system, in `Sources/System/NAME`.
    static func library(_ name: String, _ pkgConfig: String, apt package: String) -> Target {
        .systemLibrary(
            name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
    }
}

/// The tests of a room in `Tests/FLOOR/NAME`.
func tests(
    _ folder: String, _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(folder)/\(name)", resources: resources,
        swiftSettings: settings)
}

/// Code that several test targets share, in `Tests/Support/NAME`.
func support(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/Support/\(name)", swiftSettings: settings)
}

let systemLibraries: [Target] = [
    // libfido2, the bridge to USB keys; the tests also let it drive the virtual authenticator.
    Floor.library("CFIDO2", "libfido2", apt: "libfido2-dev"),
    // OpenSSL's libcrypto, for the curves swift-crypto lacks and for signatures that repeat.
    Floor.library("COpenSSL", "libcrypto", apt: "libssl-dev"),
    // OpenSSL's libssl, for https. A second copy of BoringSSL, in swift-nio-ssl, takes a minute to compile.
    Floor.library("CSSL", "libssl", apt: "libssl-dev"),
    // The settings of the memory allocator.
    .systemLibrary(name: "CMalloc", path: "Sources/System/CMalloc"),
    // PC/SC, for keys on readers.
    Floor.library("CPCSC", "libpcsclite", apt: "libpcsclite-dev"),
    // libpsl, for the Public Suffix List.
    Floor.library("CPSL", "libpsl", apt: "libpsl-dev"),
    // libyaml, for profiles, scenarios and descriptions of keys.
    Floor.library("CYAML", "yaml-0.1", apt: "libyaml-dev"),
    // zlib, for the raw DEFLATE of large blobs.
    Floor.library("CZlib", "zlib", apt: "zlib1g-dev"),
]

let machineRooms: [Target] = [
    // The files and the clock of the computer.
    Floor.system.room("Machine", ["CMalloc", "COpenSSL"])
]

let textRooms: [Target] = [
    // Writes the files of profiles/, scenarios/, hardware/keys/ and relying-parties/, and other rooms' text files, into the
    // program.
    .plugin(name: "EmbedFiles", capability: .buildTool),
    // Planted bugs in the example app, for a suite.
    .plugin(name: "PlantBugs", capability: .buildTool),
    Floor.text.room("BuiltIns", ["Documents"], plugins: [.plugin(name: "EmbedFiles")]),
    Floor.text.room("Wording"),
    // The parts of the computer that commands need, and their judgement.
    Floor.text.room("MachineNeeds"),
    Floor.text.room("Documents", ["Wording"]),
    Floor.text.room("YAMLFiles", ["BuiltIns", "CYAML", "Documents", "Machine", "Wording"]),
    Floor.text.room("Tables"),
    // The pages of docs/.
    Floor.text.room("Pages", plugins: [.plugin(name: "EmbedFiles")]),
]

let protocolRooms: [Target] = [
    Floor.protocols.room("Causes"),
    Floor.protocols.room("CBOR"),
    Floor.protocols.room(
        "COSE", ["CBOR", optional("COpenSSL"), asn1, crypto, cryptoExtras], flags: systemLibrariesFlag),
    Floor.protocols.room("WebAuthn", ["CBOR"]),
    Floor.protocols.room("MessageValues", ["CBOR", "COSE", "WebAuthn"]),
    Floor.protocols.room(
        "CTAP", ["CBOR", "COSE", "CZlib", "Causes", "MessageValues", "WebAuthn", crypto, cryptoExtras]),
]

let authenticatorRooms: [Target] = [
    Floor.authenticator.room("Attestation", ["CBOR", "COSE", "CTAP", "WebAuthn", asn1, crypto, x509]),
    Floor.authenticator.room("Biometrics", ["Causes"]),
    // Passkeys as documents of the Credential Exchange Format.
    Floor.authenticator.room("CredentialExchange", ["COSE", "CTAP", "Documents", "WebAuthn"]),
    Floor.authenticator.room(
        "VirtualAuthenticator",
        [
            "Attestation", "Biometrics", "CBOR", "COSE", "CTAP", "Causes", "WebAuthn", crypto,
        ]),
]

let relyingPartyRooms: [Target] = [
    Floor.relyingParty.room("RelyingParty", ["CBOR", "COSE", "WebAuthn", asn1, crypto, x509]),
    // The publications of the FIDO Metadata Service.
    Floor.relyingParty.room("MetadataService", ["RelyingParty", "WebAuthn", asn1, jwtKit, x509]),
    Floor.relyingParty.room(
        "WebAuthnClient", ["Causes", "CBOR", "COSE", "CTAP", "WebAuthn", optional("CPSL")],
        flags: systemLibrariesFlag),
]

let transportsRooms: [Target] = [
    // libdbus, for BlueZ.
    .systemLibrary(
        name: "CDBus", path: "Sources/Transports/CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    // libqrencode, for QR codes.
    .systemLibrary(
        name: "CQRencode", path: "Sources/Transports/CQRencode", pkgConfig: "libqrencode",
        providers: [.apt(["libqrencode-dev"])]),
    Floor.transports.room("CTAPHID", ["CTAP"]),
    Floor.transports.room("CTAPHybrid", ["CBOR", "CTAP", "WebAuthn", crypto, cryptoExtras]),
    Floor.transports.room("CTAPNFC", ["CTAP"]),
    Floor.transports.room("Transports", ["CTAP", "CTAPHID", "CTAPNFC", "MachineNeeds", nioCore, nioPosix]),
    // Adverts of Bluetooth Low Energy.
    Floor.transports.room("Radio", ["CTAPHybrid", "CDBus", "MachineNeeds", nioCore, nioPosix]),
    Floor.transports.room(
        "SecurityKeys",
        [
            "CBOR", "CFIDO2", "COSE", "CPCSC", "CTAP", "CTAPHID", "CTAPNFC", "Machine", "MachineNeeds", "Transports",
        ]),
]

let devicesRooms: [Target] = [
    Floor.devices.room("BiometricStatistics", ["Biometrics", realModule]),
    Floor.devices.room(
        "Faults",
        ["CBOR", "CTAP", "CTAPHID", "CTAPHybrid", "Causes", "VirtualAuthenticator", "WebAuthn", "Wording"]),
    Floor.devices.room(
        "PlatformErrors", ["Biometrics", "Causes", "CTAP", "Documents"], exclude: ["outcomes.yaml"]),
    Floor.devices.room(
        "DeviceProfiles",
        [
            "Attestation", "Biometrics", "COSE", "CTAP", "Causes", "Documents", "Faults", "PlatformErrors",
            "VirtualAuthenticator", "WebAuthn", "Wording",
        ]),
    Floor.devices.room(
        "SimulatedDevice",
        [
            "Attestation", "Biometrics", "BiometricStatistics", "Causes", "CBOR", "COSE", "CredentialExchange", "CTAP",
            "CTAPHID", "DeviceProfiles", "Faults", "PlatformErrors", "VirtualAuthenticator", "WebAuthn",
            "WebAuthnClient", "Wording", crypto,
        ]),
    Floor.devices.room(
        "DeviceActs",
        [
            "Biometrics", "CTAPHID", "Causes", "CredentialExchange", "Documents", "Faults", "PlatformErrors",
            "SimulatedDevice", "VirtualAuthenticator", "Wording",
        ]),
    // A simulated phone in the process of an app's test, with the shapes of Apple's frameworks.
    Floor.devices.room(
        "SimulatedPhone",
        [
            "Biometrics", "Causes", "COSE", "CTAP", "DeviceActs", "DeviceProfiles", "PlatformErrors", "RelyingParty",
            "SimulatedDevice", "VirtualAuthenticator", "WebAuthn", "WebAuthnClient", "Wording", crypto,
        ]),
    // The shapes by Apple's names.
    Floor.devices.room("SimulatedAppleNames", ["SimulatedPhone"]),
    Floor.devices.room(
        "DeviceStore",
        [
            "CTAP", "DeviceProfiles", "Machine", "SimulatedDevice", "VirtualAuthenticator", "WebAuthn", crypto, grdb,
            sqlite,
        ]),
]

let servicesRooms: [Target] = [
    Floor.services.room(
        "LoopbackHTTP",
        [
            "CSSL", "Documents", "Machine", "Wording", httpTypes, hummingbird, hummingbirdCore, logging, nioCore,
            nioHTTP1,
            nioHTTPTypes, nioPosix, nioTLS, nioWebSocket, serviceLifecycle,
        ]),
    Floor.services.room(
        "RelyingPartyServer",
        [
            "COSE", "LoopbackHTTP", "Machine", "RelyingParty", "WebAuthn", crypto, grdb,
            httpTypes, hummingbird, logging, nioCore,
        ]),
    // The tunnel service of the hybrid transport.
    Floor.services.room("HybridTunnel", ["CTAPHybrid", "LoopbackHTTP", asn1, crypto, x509]),
    // The Model Context Protocol, without sockets.
    Floor.services.room("ModelContext", ["Documents", "Wording"]),
    Floor.services.room("ReferenceApp", ["Causes", crypto]),
    Floor.services.room(
        "Providers",
        [
            "COSE", "LoopbackHTTP", "RelyingPartyServer", "WebAuthn", crypto, cryptoExtras, grdb, httpTypes,
            hummingbird, jwtKit, mustache,
        ], plugins: [.plugin(name: "EmbedFiles")]),
]

let recordsRooms: [Target] = [
    // Profiles in YAML files.
    Floor.records.room("ProfileFiles", ["DeviceProfiles", "Documents", "YAMLFiles"]),
    // QR codes on terminals and in files.
    Floor.records.room("QRPictures", ["CQRencode", "CZlib", "Machine"]),
    Floor.records.room(
        "Trace",
        [
            "CBOR", "COSE", "CTAP", "Causes", "Documents", "Machine", "MessageValues", "PlatformErrors",
            "SimulatedDevice", "Tables", "VirtualAuthenticator", "WebAuthn", "Wording",
        ]),
    // The causes behind pasted text.
    Floor.records.room(
        "ErrorSearch", ["Causes", "CTAP", "Documents", "PlatformErrors", "Wording", "YAMLFiles"],
        plugins: [.plugin(name: "EmbedFiles")]),
    // The HTML page and the JUnit document of results.
    Floor.records.room(
        "Reports", ["Machine"], plugins: [.plugin(name: "EmbedFiles")]),
    // Captured responses of browsers, for `touchstone verify`.
    Floor.records.room(
        "Captures",
        [
            "CBOR", "COSE", "Documents", "RelyingParty", "Trace", "WebAuthn", "WebAuthnClient", "Wording", asn1,
        ]),
]

let liveRooms: [Target] = [
    // The computer's clock, for devices.
    Floor.live.room("MachineTime", ["Machine", "VirtualAuthenticator"]),
    Floor.live.room(
        "DeviceHost",
        [
            "Biometrics", "Causes", "COSE", "CTAP", "CTAPHID", "CTAPHybrid", "DeviceActs", "DeviceProfiles",
            "DeviceStore", "Documents", "Faults", "HybridLink", "HybridTunnel", "Machine", "MachineTime",
            "PlatformErrors", "SimulatedDevice", "Trace", "Transports", "VirtualAuthenticator", "WebAuthn", "Wording",
            nioCore, nioPosix,
        ]),
    // QR codes in pictures and on the screen.
    Floor.live.room("CodeReader", ["CTAPHybrid", "Machine", "MachineNeeds", subprocess]),
    // Both ends of hybrid connections on a radio and a tunnel service.
    Floor.live.room(
        "HybridLink",
        [
            "CTAP", "CTAPHybrid", "Causes", "Faults", "HybridTunnel", "Machine", "Radio", "SimulatedDevice",
            "VirtualAuthenticator",
        ]),
    Floor.live.room(
        "AppHost",
        [
            "Biometrics", "CTAP", "Causes", "DeviceProfiles", "LoopbackHTTP", "PlatformErrors", "Providers",
            "ReferenceApp", "SimulatedDevice", "VirtualAuthenticator", "WebAuthn", "WebAuthnClient",
        ]),
    Floor.live.room(
        "ControlAPI",
        [
            "AppHost", "Attestation", "Biometrics", "BiometricStatistics", "Causes", "CodeReader", "COSE", "CTAP",
            "CTAPHID", "CTAPHybrid", "DeviceActs", "DeviceHost", "DeviceProfiles", "DeviceStore", "Documents", "Faults",
            "HybridLink", "LoopbackHTTP", "Machine", "MachineTime", "PlatformErrors", "ProfileFiles", "Providers",
            "ReferenceApp", "RelyingPartyServer", "SimulatedDevice", "Trace", "Transports", "VirtualAuthenticator",
            "WebAuthn", "WebAuthnClient", "Wording", "YAMLFiles", crypto, httpTypes, hummingbird, logging,
            serviceLifecycle,
        ], plugins: [.plugin(name: "EmbedFiles")]),
    // Chromium with the extension and a simulated device, for `touchstone browser`.
    Floor.live.room(
        "Browser",
        [
            "CTAPHybrid", "CodeReader", "ControlAPI", "Documents", "HybridLink", "HybridTunnel", "Machine",
            "MachineNeeds", "Radio", crypto,
        ], plugins: [.plugin(name: "EmbedFiles")]),
    // WebDriver with simulated devices, for `touchstone webdriver`.
    Floor.live.room(
        "WebDriver",
        [
            "Browser", "ControlAPI", "DeviceProfiles", "Documents", "LoopbackHTTP", "Machine", "MachineNeeds",
            httpTypes, hummingbird, logging, nioCore, nioPosix,
        ]),
]

let suitesRooms: [Target] = [
    // Catalogues of conformance cases, their runs and verdicts.
    Floor.suites.room("Conformance", ["Documents", "Machine", "Reports", "Wording", "YAMLFiles"]),
    // Relying parties of other programs, which files describe.
    Floor.suites.room(
        "ForeignParties",
        [
            "CTAP", "DeviceProfiles", "Documents", "LoopbackHTTP", "MachineTime", "RelyingPartyServer",
            "SimulatedDevice", "VirtualAuthenticator", "WebAuthn", "WebAuthnClient", "Wording", "YAMLFiles",
        ]),
    Floor.suites.room(
        "KnownKeys",
        [
            "CBOR", "COSE", "CTAP", "DeviceProfiles", "Documents", "MessageValues", "Tables", "WebAuthn", "Wording",
            "YAMLFiles",
        ]),
    Floor.suites.room(
        "KeyBench",
        [
            "COSE", "CTAP", "CTAPHID", "CTAPHybrid", "DeviceProfiles", "HybridLink", "Machine", "MachineNeeds",
            "MachineTime", "RelyingPartyServer", "SecurityKeys", "SimulatedDevice", "Trace", "Transports",
            "VirtualAuthenticator",
            "WebAuthn", "WebAuthnClient", crypto,
        ]),
    // The conformance cases of authenticators.
    Floor.suites.room(
        "AuthenticatorSuite",
        [
            "Attestation", "Biometrics", "CBOR", "COSE", "CTAP", "CTAPHID", "CTAPNFC", "Conformance",
            "DeviceProfiles", "Documents", "HybridLink", "KeyBench", "KnownKeys", "Machine", "MessageValues",
            "RelyingParty",
            "SecurityKeys", "SimulatedDevice", "Trace", "Transports", "VirtualAuthenticator", "WebAuthn", asn1, x509,
        ]),
    // Pasted bytes in words, for `touchstone decode`.
    Floor.suites.room(
        "Decoding",
        [
            "Attestation", "AuthenticatorSuite", "Captures", "CBOR", "Conformance", "COSE", "CTAP", "CTAPHID",
            "CTAPNFC", "DeviceProfiles", "Documents", "KnownKeys", "ProfileFiles", "RelyingParty", "SimulatedDevice",
            "Trace", "VirtualAuthenticator", "WebAuthn", "Wording", asn1, crypto,
        ]),
    // The cases for relying parties, over any that a file describes.
    Floor.suites.room(
        "RelyingPartySuite",
        [
            "Attestation", "CBOR", "Conformance", "COSE", "Documents", "ForeignParties", "RelyingPartyServer",
            "VirtualAuthenticator", "WebAuthn", crypto,
        ]),
    // The answers of known keys' twins to the suite of authenticators.
    Floor.suites.room(
        "KeptAnswers",
        ["AuthenticatorSuite", "Conformance", "CTAP", "DeviceProfiles", "KnownKeys", "Machine", "ProfileFiles"],
        plugins: [.plugin(name: "EmbedFiles")]),
]

let scenariosRooms: [Target] = [
    Floor.scenarios.room(
        "Scenarios",
        [
            "AppHost", "Attestation", "Biometrics", "BiometricStatistics", "Causes", "COSE", "CTAP", "CTAPHID",
            "CTAPHybrid", "DeviceActs", "DeviceProfiles", "Documents", "Faults", "ForeignParties", "HybridLink",
            "LoopbackHTTP", "Machine", "PlatformErrors", "ProfileFiles", "Providers", "ReferenceApp", "RelyingParty",
            "RelyingPartyServer", "Reports", "SimulatedDevice", "Trace", "Transports", "VirtualAuthenticator",
            "WebAuthn", "WebAuthnClient", "Wording", "YAMLFiles",
        ], plugins: [.plugin(name: "EmbedFiles")])
]

let measuresRooms: [Target] = [
    Floor.measures.room(
        "Benchmarks",
        [
            "Attestation", "Biometrics", "BiometricStatistics", "CBOR", "CFIDO2", "ControlAPI", "COSE", "CTAP",
            "CTAPHybrid", "DeviceHost", "DeviceProfiles", "DeviceStore", "HybridLink", "HybridTunnel", "LoopbackHTTP",
            "Machine", "ProfileFiles", "Radio", "RelyingParty", "Scenarios", "SimulatedDevice", "SimulatedPhone",
            "Trace", "Transports", "VirtualAuthenticator", "WebAuthn", "WebAuthnClient", crypto, hummingbird, logging,
        ], plugins: [.plugin(name: "EmbedFiles")]),
    // The state of the parts of this computer, for `touchstone doctor`.
    Floor.measures.room(
        "MachineLook",
        ["Machine", "MachineNeeds", "Radio", "SecurityKeys", "Transports", subprocess]),
]

let assistantsRooms: [Target] = [
    // The tools of `touchstone mcp`.
    Floor.assistants.room(
        "BenchTools",
        [
            "AuthenticatorSuite", "Captures", "Causes", "Conformance", "ControlAPI", "CTAP", "Decoding",
            "Documents",
            "ErrorSearch", "KeyBench", "LoopbackHTTP", "Machine", "MachineTime", "ModelContext",
            "Pages",
            "PlatformErrors",
            "ProfileFiles", "Providers", "RelyingParty", "RelyingPartyServer", "Scenarios", "SimulatedDevice", "Trace",
            "WebAuthn",
            "WebDriver", "Wording", "YAMLFiles",
        ]),
    // The Model Context Protocol on standard input and output, and over HTTP.
    Floor.assistants.room(
        "ContextCarriers",
        ["ControlAPI", "Documents", "LoopbackHTTP", "ModelContext", httpTypes, hummingbird, serviceLifecycle]),
]

let commandLine: [Target] = [
    .executableTarget(
        name: "touchstone",
        dependencies: [
            "Attestation", "AuthenticatorSuite", "Benchmarks", "BenchTools", "Biometrics", "BiometricStatistics",
            "Browser", "BuiltIns", "Captures", "Causes", "CBOR", "CodeReader", "Conformance", "ContextCarriers",
            "ControlAPI", "COSE", "CTAP", "CTAPHybrid",
            "Decoding", "DeviceActs", "DeviceHost", "DeviceProfiles", "DeviceStore", "Documents", "ErrorSearch",
            "Faults", "ForeignParties", "HybridLink", "KeptAnswers", "KeyBench", "KnownKeys", "Machine", "MachineLook",
            "MachineNeeds", "MachineTime", "MetadataService", "PlatformErrors", "ProfileFiles", "Providers",
            "QRPictures", "RelyingParty", "RelyingPartyServer", "RelyingPartySuite", "Reports", "Scenarios",
            "SecurityKeys", "SimulatedDevice",
            "Tables", "Trace", "Transports", "VirtualAuthenticator", "WebAuthn", "WebAuthnClient", "WebDriver",
            "Wording", "YAMLFiles", argumentParser, asn1, logging, nioCore, subprocess,
        ], path: "Sources/CommandLine/touchstone", swiftSettings: settings)
]

/// The test suites of a build, from the environment; nil for all.
///
/// The compiler crashes on some suites in a release build.
let suites = Context.environment["TEST_SUITES"]?.split(separator: " ").map(String.init)

/// The suites for builds with the traits off, which are built by name only.
let suitesWithoutTraits = ["AbsenceTests"]

let testTargets: [Target] = [
    support("AttestationSamples", ["Attestation", "CBOR", "COSE", "TestSupport", "WebAuthn", asn1, crypto, x509]),
    support("FaultyDisk", [sqlite]),
    support("SampleGates", ["Biometrics"]),
    support("AppWays", ["ReferenceApp"]),
    support("TestSupport", ["Causes", "CTAP", "Documents", "YAMLFiles"]),
    tests("System", "MachineTests", ["Machine"]),
    tests("Text", "DocumentsTests", ["Documents", "YAMLFiles"]),
    tests("Text", "TablesTests", ["Tables"]),
    tests("Text", "WordingTests", ["Wording"]),
    tests("Protocol", "CBORTests", ["CBOR", "TestSupport"]),
    tests("Protocol", "COSETests", ["CBOR", "COSE", "TestSupport"]),
    tests("Protocol", "CTAPTests", ["CBOR", "COSE", "CTAP", "TestSupport", "WebAuthn"]),
    tests("Protocol", "WebAuthnTests", ["CBOR", "COSE", "TestSupport", "WebAuthn"]),
    tests(
        "Authenticator", "AttestationTests",
        ["Attestation", "AttestationSamples", "CBOR", "COSE", "RelyingParty", "TestSupport", "WebAuthn", asn1, x509]),
    tests("Authenticator", "BiometricsTests", ["Biometrics", "SampleGates", "TestSupport"]),
    tests(
        "Authenticator", "CredentialExchangeTests",
        ["COSE", "CTAP", "CredentialExchange", "Documents", "TestSupport", "WebAuthn"]),
    tests(
        "Authenticator", "VirtualAuthenticatorTests",
        [
            "Attestation", "Biometrics", "CBOR", "COSE", "CTAP", "DeviceProfiles", "PlatformErrors", "ProfileFiles",
            "SampleGates", "SimulatedDevice", "TestSupport", "VirtualAuthenticator", "WebAuthn", asn1, crypto,
            cryptoExtras, x509,
        ]),
    tests(
        "RelyingParty", "RelyingPartyTests",
        [
            "Attestation", "AttestationSamples", "Biometrics", "CBOR", "COSE", "CTAP", "MetadataService",
            "RelyingParty", "SampleGates", "TestSupport", "VirtualAuthenticator", "WebAuthn", "WebAuthnClient", asn1,
            crypto, x509,
        ], resources: [.copy("Vectors")]),
    tests(
        "RelyingParty", "WebAuthnClientTests",
        [
            "Biometrics", "CBOR", "COSE", "CTAP", "DeviceProfiles", "ProfileFiles", "SampleGates", "TestSupport",
            "VirtualAuthenticator", "WebAuthn", "WebAuthnClient", crypto,
        ]),
    tests(
        "Transports", "CTAPHybridTests", ["CBOR", "CTAPHybrid", "TestSupport"], resources: [.copy("Scripts")]),
    tests("Transports", "CTAPNFCTests", ["CTAP", "CTAPNFC", "TestSupport"]),
    tests(
        "Records", "QRPicturesTests", ["CTAPHybrid", "QRPictures", "TestSupport"], resources: [.copy("Scripts")]),
    tests("Transports", "RadioTests", ["CTAPHybrid", "Radio", "TestSupport"], resources: [.copy("Scripts")]),
    tests(
        "Transports", "TransportsTests", ["CTAP", "CTAPHID", "CTAPNFC", "TestSupport", "Transports", nioCore, nioPosix]),
    tests(
        "Devices", "BiometricStatisticsTests", ["BiometricStatistics", "Biometrics", "SampleGates", "TestSupport"]),
    tests(
        "Devices", "DeviceStoreTests",
        [
            "Biometrics", "CBOR", "COSE", "CTAP", "DeviceProfiles", "DeviceStore", "FaultyDisk", "Machine",
            "ProfileFiles", "SimulatedDevice", "TestSupport", "VirtualAuthenticator", "WebAuthn", grdb,
        ]),
    tests(
        "Devices", "DevicesTests",
        [
            "Attestation", "Biometrics", "BiometricStatistics", "Causes", "CBOR", "COSE", "CredentialExchange", "CTAP",
            "CTAPHID", "DeviceActs", "DeviceProfiles", "Documents", "ErrorSearch", "Faults", "PlatformErrors",
            "ProfileFiles", "SampleGates", "SimulatedDevice", "TestSupport", "VirtualAuthenticator", "WebAuthn",
            "YAMLFiles",
        ]),
    tests(
        "Devices", "SimulatedPhoneTests",
        [
            "Biometrics", "Causes", "DeviceActs", "DeviceProfiles", "PlatformErrors", "RelyingParty",
            "SimulatedAppleNames", "SimulatedDevice", "SimulatedPhone", "VirtualAuthenticator", "WebAuthn",
        ]),
    tests(
        "Devices", "FaultsTests",
        [
            "Attestation", "Biometrics", "CBOR", "COSE", "CTAP", "DeviceProfiles", "Faults", "ProfileFiles",
            "RelyingParty", "TestSupport", "VirtualAuthenticator", "WebAuthn", "WebAuthnClient",
        ]),
    tests(
        "Services", "RelyingPartyServerTests",
        [
            "CBOR", "COSE", "FaultyDisk", "LoopbackHTTP", "Machine", "RelyingParty", "RelyingPartyServer",
            "TestSupport", "WebAuthn", crypto, grdb, httpTypes, nioCore, nioEmbedded, nioHTTPTypes, nioPosix,
        ]),
    tests(
        "Live", "HybridLinkTests",
        [
            "Biometrics", "Causes", "CBOR", "COSE", "CTAP", "CTAPHybrid", "DeviceProfiles", "Faults", "HybridLink",
            "HybridTunnel", "ProfileFiles", "Radio", "SimulatedDevice", "TestSupport", "VirtualAuthenticator",
            "WebAuthn", "WebAuthnClient",
        ]),
    tests("Services", "HybridTunnelTests", ["CTAPHybrid", "HybridTunnel"]),
    tests("Services", "ModelContextTests", ["Documents", "ModelContext"]),
    tests("Services", "ReferenceAppTests", ["AppWays", "ReferenceApp", "TestSupport", crypto]),
    tests("Measures", "BenchmarksTests", ["Benchmarks", "TestSupport"]),
    tests("Measures", "MachineLookTests", ["MachineLook", "MachineNeeds", "Radio", "TestSupport"]),
    tests("Text", "MachineNeedsTests", ["MachineNeeds"]),
    tests(
        "Suites", "AuthenticatorSuiteTests",
        [
            "Attestation", "AuthenticatorSuite", "CBOR", "Conformance", "COSE", "CTAP", "CTAPNFC", "DeviceProfiles",
            "Documents", "Faults", "KeyBench", "KnownKeys", "MachineTime", "ProfileFiles", "SecurityKeys",
            "SimulatedDevice", "TestSupport", "Transports", "VirtualAuthenticator", "WebAuthn",
        ], resources: [.copy("Foreign")]),
    tests(
        "Suites", "RelyingPartySuiteTests",
        [
            "Attestation", "Conformance", "COSE", "Documents", "ForeignParties", "Machine", "RelyingParty",
            "RelyingPartyServer", "RelyingPartySuite", "WebAuthn",
        ]),
    tests(
        "Suites", "ForeignPartiesTests",
        [
            "Attestation", "Conformance", "DeviceProfiles", "Documents", "ForeignParties", "Machine", "ProfileFiles",
            "RelyingPartyServer", "RelyingPartySuite", "Scenarios", "TestSupport", "YAMLFiles",
        ], resources: [.copy("Baselines"), .copy("Sites")]),
    tests(
        "Services", "ProvidersTests",
        [
            "DeviceProfiles", "Machine", "ProfileFiles", "Providers", "RelyingPartyServer", "SimulatedDevice",
            "TestSupport", "VirtualAuthenticator", "WebAuthnClient", grdb, jwtKit,
        ]),
    tests(
        "Live", "AppHostTests",
        [
            "AppHost", "AppWays", "Biometrics", "DeviceProfiles", "ProfileFiles", "Providers", "ReferenceApp",
            "RelyingPartyServer", "SimulatedDevice", "TestSupport", "VirtualAuthenticator", "WebAuthnClient",
        ]),
    tests(
        "Live", "ControlAPITests",
        [
            "Causes", "ControlAPI", "COSE", "CTAP", "CTAPHybrid", "DeviceActs", "DeviceHost", "DeviceProfiles",
            "DeviceStore", "Documents", "HybridLink", "LoopbackHTTP", "ProfileFiles", "Providers", "RelyingPartyServer",
            "SimulatedDevice", "TestSupport", "VirtualAuthenticator", "WebAuthn", crypto, httpTypes, nioCore, nioPosix,
        ], resources: [.copy("Scripts")]),
    tests(
        "Live", "DeviceHostTests",
        [
            "DeviceActs", "DeviceHost", "DeviceProfiles", "DeviceStore", "ProfileFiles", "SimulatedDevice",
            "TestSupport", "Transports", "VirtualAuthenticator", nioCore, nioPosix,
        ]),
    tests(
        "Suites", "KeyBenchTests",
        ["HybridLink", "KeyBench"]),
    tests(
        "Suites", "KnownKeysTests",
        [
            "Biometrics", "CBOR", "COSE", "CTAP", "DeviceProfiles", "Documents", "KnownKeys", "ProfileFiles",
            "SimulatedDevice", "TestSupport", "VirtualAuthenticator", "WebAuthn",
        ]),
    tests(
        "Suites", "DecodingTests",
        [
            "CBOR", "COSE", "CTAP", "CTAPHID", "Decoding", "DeviceProfiles", "KnownKeys", "ProfileFiles",
            "SimulatedDevice", "TestSupport", "Trace", "VirtualAuthenticator", "WebAuthn",
        ]),
    tests(
        "Records", "CapturesTests",
        [
            "Attestation", "Captures", "COSE", "DeviceProfiles", "Documents", "ProfileFiles", "RelyingParty",
            "SimulatedDevice", "TestSupport", "Trace", "VirtualAuthenticator", "WebAuthn", "WebAuthnClient",
        ]),
    tests(
        "Suites", "ConformanceTests",
        [
            "AuthenticatorSuite", "Conformance", "DeviceProfiles", "Documents", "KeptAnswers", "KnownKeys",
            "ProfileFiles", "RelyingPartySuite", "Reports", "TestSupport",
        ],
        resources: [.copy("Profiles"), .copy("Scripts")]),
    tests(
        "Scenarios", "ScenariosTests",
        [
            "Causes", "CTAP", "DeviceActs", "DeviceProfiles", "Documents", "Faults", "ProfileFiles", "Providers",
            "RelyingPartyServer", "Reports", "Scenarios", "SimulatedDevice", "TestSupport", "Trace", "Transports",
            "VirtualAuthenticator", "WebAuthn", "WebAuthnClient", "YAMLFiles",
        ], resources: [.copy("Scripts")]),
    tests(
        "Records", "TraceTests",
        [
            "Biometrics", "CBOR", "COSE", "CTAP", "DeviceProfiles", "Documents", "PlatformErrors", "ProfileFiles",
            "SimulatedDevice", "TestSupport", "Trace", "VirtualAuthenticator", "WebAuthn",
        ]),
    tests(
        "Live", "WebDriverTests",
        [
            "ControlAPI", "DeviceHost", "DeviceProfiles", "Documents", "LoopbackHTTP", "ProfileFiles", "TestSupport",
            "WebDriver", httpTypes, logging,
        ]),
    tests(
        "EndToEnd", "AbsenceTests",
        [
            "CBOR", "COSE", "CTAP", "DeviceProfiles", "Documents", "SimulatedDevice", "VirtualAuthenticator",
            "WebAuthn", "WebAuthnClient", cryptoExtras,
        ]),
    tests("EndToEnd", "AssistantTests", ["TestSupport"], resources: [.copy("Scripts")]),
    tests("EndToEnd", "ClientsTests", ["TestSupport"], resources: [.copy("Scripts")]),
    tests("EndToEnd", "ClosureTests", ["TestSupport"], resources: [.copy("Scripts")]),
    tests(
        "EndToEnd", "CrashTests", ["COSE", "CTAP", "CTAPHID", "TestSupport", "Transports", "WebAuthn", grdb],
        resources: [.copy("Profiles")]),
    // The tests of Examples/SignIn, without and with planted bugs in its app.
    .testTarget(
        name: "ExampleTests", dependencies: ["SimulatedAppleNames", "TestSupport"],
        path: "Tests/EndToEnd/ExampleTests", exclude: ["Bugs"],
        // The settings of an app's package, which sees members of modules that its own imports use.
        swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .define("SIMULATED_PHONE")],
        plugins: [.plugin(name: "PlantBugs")]),
    tests(
        "EndToEnd", "FuzzTests",
        [
            "Attestation", "AttestationSamples", "Biometrics", "Captures", "CBOR", "COSE", "CredentialExchange", "CTAP",
            "CTAPHID", "CTAPHybrid", "DeviceProfiles", "Documents", "ForeignParties", "KnownKeys", "ModelContext",
            "ProfileFiles", "RelyingParty", "SampleGates", "Scenarios", "TestSupport", "Trace", "Transports",
            "VirtualAuthenticator",
            "WebAuthn", "YAMLFiles", crypto,
        ]),
    tests("EndToEnd", "HostileInputTests", ["TestSupport"], resources: [.copy("Files")]),
    tests(
        "EndToEnd", "InstallTests",
        ["Documents", "Machine", "RelyingPartyServer", "TestSupport", "YAMLFiles"], resources: [.copy("Files")]),
    tests(
        "EndToEnd", "InteropTests",
        [
            "Attestation", "AttestationSamples", "Biometrics", "CFIDO2", "COSE", "CTAP", "CTAPHID", "CTAPHybrid",
            "DeviceHost", "DeviceProfiles", "Documents", "Faults", "HybridLink", "HybridTunnel", "ProfileFiles",
            "Providers", "RelyingPartyServer", "SecurityKeys", "SimulatedDevice", "SimulatedPhone", "TestSupport",
            "Trace", "Transports", "VirtualAuthenticator", "WebAuthn", "WebAuthnClient", asn1, x509,
        ], resources: [.copy("Scripts")]),
    // Without the package's own access, as in a package that depends on the libraries.
    .testTarget(
        name: "LibraryTests",
        dependencies: [
            "Attestation", "CBOR", "COSE", "CTAP", "RelyingParty", "SimulatedAppleNames", "SimulatedPhone",
            "VirtualAuthenticator",
            "WebAuthn", "WebAuthnClient",
        ], path: "Tests/EndToEnd/LibraryTests", packageAccess: false, swiftSettings: settings),
    tests(
        "EndToEnd", "SampleTests",
        [
            "ControlAPI", "CTAP", "CTAPHID", "CTAPNFC", "DeviceProfiles", "PlatformErrors", "ProfileFiles",
            "RelyingPartyServer", "SecurityKeys", "SimulatedDevice", "TestSupport", "Trace", "Transports",
            "VirtualAuthenticator", nioCore,
        ]),
    tests(
        "EndToEnd", "SeleniumTests",
        [
            "ControlAPI", "DeviceProfiles", "LoopbackHTTP", "ProfileFiles", "Providers", "RelyingPartyServer",
            "TestSupport", "WebDriver",
        ],
        resources: [.copy("Scripts")]),
    tests(
        "EndToEnd", "KernelTests", ["AuthenticatorSuite", "Conformance", "SecurityKeys", "TestSupport"],
        resources: [.copy("Guest")]),
    tests(
        "EndToEnd", "ReaderTests",
        [
            "AuthenticatorSuite", "CBOR", "Conformance", "COSE", "CTAP", "CTAPNFC", "DeviceProfiles", "Machine",
            "MachineLook", "MachineNeeds", "ProfileFiles", "RelyingParty", "SecurityKeys", "SimulatedDevice",
            "TestSupport", "Transports", "VirtualAuthenticator", "WebAuthn", "WebAuthnClient",
        ], resources: [.copy("Scripts")]),
]

/// Other projects' packages: their repositories, their oldest versions and their traits.
let foreignPackages: [(repository: String, version: Version, traits: Set<Package.Dependency.Trait>)] = [
    ("https://github.com/apple/swift-crypto", "4.5.2", [.defaults]),
    ("https://github.com/apple/swift-certificates", "1.21.1", [.defaults]),
    ("https://github.com/apple/swift-asn1", "1.7.4", [.defaults]),
    ("https://github.com/apple/swift-nio", "2.101.2", [.defaults]),
    ("https://github.com/apple/swift-nio-extras", "1.35.2", [.defaults]),
    ("https://github.com/apple/swift-log", "1.16.2", [.defaults]),
    ("https://github.com/apple/swift-argument-parser", "1.8.2", [.defaults]),
    ("https://github.com/swiftlang/swift-subprocess", "1.0.2", []),
    ("https://github.com/apple/swift-http-types", "1.8.0", [.defaults]),
    ("https://github.com/swift-server/swift-service-lifecycle", "2.13.0", [.defaults]),
    ("https://github.com/hummingbird-project/hummingbird", "2.28.1", []),
    ("https://github.com/groue/GRDB.swift", "7.10.0", [.defaults]),
    ("https://github.com/apple/swift-numerics", "1.1.1", [.defaults]),
    ("https://github.com/vapor/jwt-kit", "5.7.1", [.defaults]),
    ("https://github.com/hummingbird-project/swift-mustache", "2.1.1", [.defaults]),
]

/// The folders with copies of these packages and of those that they need.
///
/// A source archive has them, so that its build needs neither git nor the network.
let vendored = ((try? FileManager.default.contentsOfDirectory(atPath: Context.packageDirectory + "/Vendor")) ?? [])
    .filter { $0 != "Package.resolved" }.sorted()

let dependencies: [Package.Dependency] =
    vendored.isEmpty
    ? foreignPackages.map { .package(url: $0.repository, from: $0.version, traits: $0.traits) }
    : vendored.map { name in
        let declared = foreignPackages.first { $0.repository.hasSuffix("/\(name)") }
        return .package(path: "Vendor/\(name)", traits: declared?.traits ?? [.defaults])
    }

/// The package that builds the documentation; `make docs` asks for it.
let documentation: [Package.Dependency] =
    Context.environment["TEST_DOCS"] == nil
    ? [] : [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")]

let package = Package(
    name: "touchstone-bench",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .executable(name: "touchstone", targets: ["touchstone"]),
        .library(name: "Causes", targets: ["Causes"]),
        .library(name: "CBOR", targets: ["CBOR"]),
        .library(name: "COSE", targets: ["COSE"]),
        .library(name: "WebAuthn", targets: ["WebAuthn"]),
        .library(name: "CTAP", targets: ["CTAP"]),
        .library(name: "Biometrics", targets: ["Biometrics"]),
        .library(name: "BiometricStatistics", targets: ["BiometricStatistics"]),
        .library(name: "Attestation", targets: ["Attestation"]),
        .library(name: "VirtualAuthenticator", targets: ["VirtualAuthenticator"]),
        .library(name: "RelyingParty", targets: ["RelyingParty"]),
        .library(name: "MetadataService", targets: ["MetadataService"]),
        .library(name: "WebAuthnClient", targets: ["WebAuthnClient"]),
        .library(name: "SimulatedPhone", targets: ["SimulatedPhone"]),
        .library(name: "SimulatedAppleNames", targets: ["SimulatedAppleNames"]),
    ],
    traits: [
        .default(enabledTraits: [systemLibrariesTrait]),
        .trait(name: systemLibrariesTrait, description: "libcrypto and libpsl on Linux, for the library products"),
    ],
    dependencies: dependencies + documentation,
    targets: systemLibraries + machineRooms + textRooms + protocolRooms + authenticatorRooms + relyingPartyRooms
        + transportsRooms + devicesRooms + servicesRooms + recordsRooms + liveRooms + suitesRooms + scenariosRooms
        + measuresRooms + assistantsRooms + commandLine
        + testTargets.filter { $0.type != .test || suites?.contains($0.name) ?? !suitesWithoutTraits.contains($0.name) }
)
