internal import Biometrics

extension ProfileSchema {
    static let sensor = SchemaNode.mapping(
        "the biometric sensor; leave it out for a device without one",
        [
            "modality": .one(of: BiometricModality.allCases.map(\.rawValue), "what it looks at"),
            "class": .number("how far it is trusted: 3 may release keys, 1 is a convenience", 1...3),
            "templates": .list(of: .text("a name"), "who is enrolled"),
            "max-templates": .number("how many fit", 1...100),
            "availability": .one(of: SensorAvailability.allCases.map(\.rawValue), "whether it can be used"),
            "lockout": .mapping("when this sensor closes, where it has numbers of its own", closing),
            "latency": .either(
                [
                    .span("always as long"), .list(of: .span("the shortest and the longest"), "evenly between two"),
                    .mapping(
                        "around a mean", required: ["mean", "deviation"],
                        [
                            "mean": .span("the mean"), "deviation": .span("the standard deviation"),
                            "at-least": .span("the shortest"),
                        ]),
                ], "how long a sample takes: 400 ms, [200 ms, 600 ms] or { mean: 400 ms, deviation: 80 ms }"),
        ])

    static let deviceCredential = SchemaNode.either(
        [
            .one(of: DeviceCredential.Kind.allCases.map(\.rawValue), "what a person types or draws"),
            .mapping(
                "what a person types or draws, and what wrong entries lead to", required: ["kind"],
                [
                    "kind": .one(of: DeviceCredential.Kind.allCases.map(\.rawValue), "what a person types or draws"),
                    "delays": .list(
                        of: .mapping(
                            "a delay", required: ["failures", "delay"],
                            [
                                "failures": .number("wrong entries in a row, this one included", 1...Int(Int32.max)),
                                "delay": .span("how long none is taken"),
                            ]), "which wrong entries close the field, and for how long"),
                    "permanent-at": .number("wrong entries in a row that end it", 1...Int(Int32.max)),
                    "permanently": .one(of: ["disabled", "erased"], "what the last of them does"),
                    "power-cycle-clears": .flag("whether a restart ends a delay"),
                ]),
        ], "what unlocks the device, when one is set")

    static let lockout = SchemaNode.mapping(
        "how failed attempts count; needed with a sensor",
        closing.merging([
            "attempts-per-prompt": .number(
                "failed attempts that end a prompt; left out, it stays until the sensor locks", 1...Int(Int32.max)),
            "fallback-offered-after": .number("failed attempts after which a prompt offers its way out"),
            "credential-fallback": .flag("whether the device credential counts as user verification"),
            "credential-attempts-per-prompt": .number("wrong entries that end a prompt", 1...Int(Int32.max)),
            "prompt-timeout": .span("how long a prompt waits"),
            "bad-capture-counts": .flag("whether a poor sample counts as a failure"),
            "timeout-counts": .flag("whether no answer at all counts as a failure"),
            "invalidation": .one(
                of: InvalidationRule.allCases.map(\.rawValue),
                "which changes to the enrolled set end the keys bound to it"),
            "confirmation": .one(
                of: ConfirmationRule.allCases.map(\.rawValue), "whether the match of a face is to be confirmed"),
            "attention": .flag("whether a face must look at the device"),
            "power-button": .one(
                of: PowerButtonRule.allCases.map(\.rawValue), "what the power button does to a prompt"),
            "strong-authentication": .list(
                of: .mapping(
                    "all of these together",
                    [
                        "classes": .list(
                            of: .number("a class", 1...3), "the classes of sensors it binds; all, unless given"),
                        "since-credential": .span("since the device credential was entered"),
                        "since-unlock": .span("since the device was unlocked"),
                        "since-biometric": .span("since a biometric unlocked it"),
                        "failures": .number("failures in a row", 1...Int(Int32.max)),
                    ]), "when the device credential is due; each rule is enough"),
            "sensors-need-credential": .flag("whether the sensors verify nobody while no device credential is set"),
            "power-cycle-requires-credential": .flag("whether it is due after a restart"),
            "power-cycle-clears": .flag("whether a power cycle opens the sensors"),
        ]) { $1 })

    /// When a sensor closes.
    private static let closing: [String: SchemaNode] = [
        "timed-every": .number("every how many failures in a row the sensor closes for a while", 1...25),
        "timed-at": .list(
            of: .number("a number of failures", 1...Int(Int32.max)), "at which failures in a row it does, instead"
        ).adding(["minItems": 1]),
        "timed-duration": .span("for how long"),
        "timed-clears-count": .flag("whether the end of that takes the count back"),
        "permanent-at": .either(
            [
                .number("failures in a row that close it until the credential is entered", 1...25),
                .one(of: ["never"], "nothing does"),
            ], "failures in a row that close it until the credential is entered, 1 to 25; or never"),
    ]
}
