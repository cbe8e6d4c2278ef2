// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours: Swift 6 language mode, warnings are errors, imports say what they export.
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
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let realModule = Target.Dependency.product(name: "RealModule", package: "swift-numerics")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

func module(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

let package = Package(
    name: "touchstone-bench",
    products: [
        .executable(name: "touchstone", targets: ["touchstone"]),
        .library(name: "CBOR", targets: ["CBOR"]),
        .library(name: "COSE", targets: ["COSE"]),
        .library(name: "WebAuthn", targets: ["WebAuthn"]),
        .library(name: "CTAP", targets: ["CTAP"]),
        .library(name: "Biometrics", targets: ["Biometrics"]),
        .library(name: "BiometricStatistics", targets: ["BiometricStatistics"]),
        .library(name: "VirtualAuthenticator", targets: ["VirtualAuthenticator"]),
        .library(name: "RelyingParty", targets: ["RelyingParty"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-numerics", from: "1.1.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // Each module knows only what stands above it here.
        module("Wording"),
        module("CBOR"),
        module("COSE", ["CBOR", "COpenSSL", crypto, cryptoExtras, asn1]),
        module("WebAuthn", ["CBOR", "COSE", crypto]),
        module("CTAP", ["CBOR", "COSE", "CZlib", "WebAuthn", crypto, cryptoExtras]),
        module("CTAPHID", ["CTAP"]),
        module("CTAPNFC", ["CTAP"]),
        module("Transports", ["CTAP", "CTAPHID", "CTAPNFC", nioCore, nioPosix]),
        module(
            "SecurityKeys",
            ["CBOR", "CFIDO2", "COSE", "CPCSC", "CTAP", "CTAPHID", "CTAPNFC", "Transports", "WebAuthn", crypto]),
        module("Biometrics"),
        module("BiometricStatistics", ["Biometrics", realModule]),
        module("Attestation", ["CBOR", "COSE", "WebAuthn", crypto, x509, asn1]),
        module(
            "VirtualAuthenticator",
            ["Attestation", "CBOR", "COSE", "WebAuthn", "CTAP", "Biometrics", crypto, cryptoExtras, x509, asn1]),
        module("Faults", ["CBOR", "CTAP", "CTAPHID", "VirtualAuthenticator", "Wording"]),
        module(
            "Devices",
            [
                "Attestation", "BiometricStatistics", "Biometrics", "COSE", "CTAP", "CTAPHID", "Faults",
                "VirtualAuthenticator", "WebAuthn", "Wording", crypto, yams,
            ],
            resources: [.embedInCode("Faces/outcomes.yaml")]),
        module("KnownKeys", ["CBOR", "COSE", "CTAP", "Devices", "WebAuthn"]),
        module("DeviceStore", ["CTAP", "Devices", "WebAuthn", "VirtualAuthenticator", crypto, cryptoExtras, grdb]),
        module("Trace", ["CBOR", "COSE", "CTAP", "Devices", "VirtualAuthenticator", "WebAuthn"]),
        module(
            "DeviceHost",
            [
                "BiometricStatistics", "Biometrics", "COSE", "CTAP", "CTAPHID", "DeviceStore", "Devices", "Faults",
                "Trace", "Transports", "VirtualAuthenticator", nioCore, nioPosix,
            ]),
        module("WebAuthnClient", ["CBOR", "COSE", "WebAuthn", "CTAP", crypto]),
        module("RelyingParty", ["CBOR", "COSE", "WebAuthn", crypto, x509, asn1]),
        module("LoopbackHTTP", [hummingbird, hummingbirdCore, httpTypes, logging, nioCore, serviceLifecycle]),
        module(
            "Harness",
            [
                "COSE", "LoopbackHTTP", "RelyingParty", "WebAuthn", crypto, cryptoExtras, grdb, httpTypes, hummingbird,
                logging, nioCore, serviceLifecycle,
            ]),
        module(
            "ControlAPI",
            [
                "Attestation", "BiometricStatistics", "Biometrics", "COSE", "CTAP", "DeviceHost", "DeviceStore",
                "Devices", "Faults", "LoopbackHTTP", "Trace", "Transports", "VirtualAuthenticator", "WebAuthn",
                "WebAuthnClient", crypto, httpTypes, hummingbird, logging, serviceLifecycle,
            ]),
        module(
            "Scenarios",
            [
                "Attestation", "BiometricStatistics", "Biometrics", "COSE", "CTAP", "CTAPHID", "Devices", "Faults",
                "Harness", "RelyingParty", "Trace", "Transports", "VirtualAuthenticator", "WebAuthn", "WebAuthnClient",
                "Wording",
            ]),
        module(
            "KeyBench",
            [
                "Attestation", "CBOR", "COSE", "CTAP", "CTAPHID", "Devices", "Harness", "KnownKeys", "RelyingParty",
                "Scenarios", "SecurityKeys", "Trace", "Transports", "VirtualAuthenticator", "WebAuthn",
                "WebAuthnClient", crypto,
            ]),
        module(
            "Benchmarks",
            [
                "Attestation", "BiometricStatistics", "Biometrics", "CBOR", "COSE", "CTAP", "CTAPHID", "DeviceStore",
                "Devices", "RelyingParty", "Transports", "VirtualAuthenticator", "WebAuthn", "WebAuthnClient", crypto,
            ]),
        .executableTarget(
            name: "touchstone",
            dependencies: [
                "Attestation", "Benchmarks", "BiometricStatistics", "Biometrics", "CBOR", "COSE", "CTAP", "CTAPHID",
                "ControlAPI", "DeviceHost", "DeviceStore", "Devices", "Faults", "Harness", "KeyBench", "KnownKeys",
                "RelyingParty", "Scenarios", "SecurityKeys", "Trace", "Transports", "VirtualAuthenticator", "WebAuthn",
                "WebAuthnClient", "Wording", argumentParser, asn1, logging, nioCore,
            ],
            swiftSettings: settings),

        tests("WordingTests", ["Wording"]),
        tests("BiometricsTests", ["Biometrics"]),
        tests("BiometricStatisticsTests", ["BiometricStatistics", "Biometrics"]),
        tests("CTAPNFCTests", ["CTAP", "CTAPNFC", "TestSupport"]),
        tests("TransportsTests", ["Transports", "CTAP", "CTAPHID", "CTAPNFC", "TestSupport", nioCore, nioPosix]),
        tests(
            "RelyingPartyTests",
            [
                "Attestation", "Biometrics", "CBOR", "COSE", "CTAP", "RelyingParty", "VirtualAuthenticator", "WebAuthn",
                "WebAuthnClient", asn1, crypto, x509,
            ],
            resources: [.copy("Vectors")]),
        tests(
            "WebAuthnClientTests",
            [
                "Biometrics", "CBOR", "COSE", "CTAP", "Devices", "TestSupport", "VirtualAuthenticator", "WebAuthn",
                "WebAuthnClient", crypto,
            ]),

        tests(
            "HarnessTests",
            ["Harness", "CBOR", "COSE", "LoopbackHTTP", "WebAuthn", "RelyingParty", "TestSupport", crypto, grdb]),

        // libfido2, the bridge to USB keys; the tests also let it drive the virtual authenticator.
        .systemLibrary(name: "CFIDO2", pkgConfig: "libfido2", providers: [.apt(["libfido2-dev"])]),

        // PC/SC, for keys on readers.
        .systemLibrary(name: "CPCSC", pkgConfig: "libpcsclite", providers: [.apt(["libpcsclite-dev"])]),

        // OpenSSL's libcrypto, for the curves swift-crypto lacks and for signatures that repeat.
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

        // zlib, for the raw DEFLATE of large blobs.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        .target(name: "TestSupport", dependencies: ["CTAP"], path: "Tests/TestSupport", swiftSettings: settings),
        .target(
            name: "AttestationSamples",
            dependencies: ["Attestation", "CBOR", "COSE", "TestSupport", "WebAuthn", crypto],
            path: "Tests/AttestationSamples", swiftSettings: settings),
        tests(
            "AttestationTests",
            [
                "Attestation", "AttestationSamples", "CBOR", "COSE", "RelyingParty", "TestSupport", "WebAuthn", asn1,
                crypto, x509,
            ]),
        tests(
            "InteropTests",
            [
                "Attestation", "AttestationSamples", "Biometrics", "CFIDO2", "COSE", "CTAP", "CTAPHID", "DeviceHost",
                "Devices", "Faults", "SecurityKeys", "TestSupport", "Trace", "Transports", "VirtualAuthenticator",
                "WebAuthn", "WebAuthnClient",
            ],
            resources: [.copy("Scripts")]),
        tests(
            "ControlAPITests",
            [
                "COSE", "ControlAPI", "DeviceHost", "Devices", "LoopbackHTTP", "TestSupport", "VirtualAuthenticator",
                "WebAuthn", crypto, httpTypes, nioCore, nioPosix,
            ],
            resources: [.copy("Scripts")]),
        tests(
            "DeviceHostTests",
            ["DeviceHost", "Devices", "TestSupport", "VirtualAuthenticator", nioCore, nioPosix]),
        tests("KernelTests", ["SecurityKeys", "TestSupport"], resources: [.copy("Guest")]),
        tests(
            "ReaderTests",
            [
                "CBOR", "COSE", "CTAP", "CTAPNFC", "Devices", "RelyingParty", "SecurityKeys", "TestSupport",
                "Transports", "VirtualAuthenticator", "WebAuthn", "WebAuthnClient",
            ],
            resources: [.copy("Scripts")]),
        tests("CBORTests", ["CBOR", "TestSupport"]),
        tests(
            "FaultsTests",
            [
                "Attestation", "Biometrics", "CBOR", "COSE", "CTAP", "Devices", "Faults", "RelyingParty", "TestSupport",
                "VirtualAuthenticator", "WebAuthn", "WebAuthnClient",
            ]),
        tests(
            "ScenariosTests",
            [
                "CTAP", "Devices", "Faults", "Harness", "Scenarios", "TestSupport", "Trace", "Transports",
                "VirtualAuthenticator", "WebAuthnClient",
            ]),
        tests("COSETests", ["CBOR", "COSE", "TestSupport"]),
        tests("WebAuthnTests", ["CBOR", "COSE", "WebAuthn", "TestSupport"]),
        tests("CTAPTests", ["CBOR", "COSE", "CTAP", "TestSupport", "WebAuthn"]),
        tests(
            "VirtualAuthenticatorTests",
            [
                "Attestation", "Biometrics", "CBOR", "COSE", "CTAP", "Devices", "TestSupport", "VirtualAuthenticator",
                "WebAuthn", asn1, crypto, cryptoExtras, x509,
            ]),
        tests(
            "DevicesTests",
            [
                "Attestation", "BiometricStatistics", "Biometrics", "CBOR", "COSE", "CTAP", "Devices", "Faults",
                "TestSupport", "VirtualAuthenticator", "WebAuthn",
            ]),
        tests(
            "KeyBenchTests",
            [
                "COSE", "CTAP", "Devices", "Faults", "KeyBench", "KnownKeys", "TestSupport", "Transports",
                "VirtualAuthenticator",
            ]),
        tests(
            "KnownKeysTests",
            [
                "Biometrics", "CBOR", "COSE", "CTAP", "Devices", "KnownKeys", "TestSupport", "VirtualAuthenticator",
                "WebAuthn",
            ]),
        tests(
            "TraceTests",
            [
                "Biometrics", "CBOR", "COSE", "CTAP", "Devices", "TestSupport", "Trace", "VirtualAuthenticator",
                "WebAuthn",
            ]),
        tests(
            "DeviceStoreTests",
            [
                "Biometrics", "CBOR", "COSE", "CTAP", "DeviceStore", "Devices", "TestSupport", "VirtualAuthenticator",
                "WebAuthn", grdb,
            ]),
        tests(
            "CrashTests",
            ["COSE", "CTAP", "CTAPHID", "DeviceStore", "TestSupport", "Transports", "WebAuthn", grdb],
            resources: [.copy("Profiles")]),
        tests(
            "FuzzTests",
            [
                "Biometrics", "CBOR", "COSE", "CTAP", "CTAPHID", "TestSupport", "Transports", "VirtualAuthenticator",
                "WebAuthn", crypto,
            ]),
    ])
