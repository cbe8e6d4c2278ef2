internal import Biometrics
internal import Documents
internal import Faults
internal import PlatformErrors
internal import VirtualAuthenticator
internal import WebAuthn

extension DeviceProfile {
    private typealias Key = DocumentKey<DeviceProfile>

    static let section: DocumentSection<DeviceProfile> = DocumentSection {
        descriptionKeys
        deviceKeys
        sourceKeys
    } check: { profile, fields in
        try profile.checkConsistency(fields)
        try fields.owner.checkUnverified(fields["unverified"])
    }

    @SectionBuilder<DeviceProfile>
    private static var descriptionKeys: [DocumentKey<DeviceProfile>] {
        Key("name", \.name, .text, "The profile's name: the file's name without `.yaml`.", .required)
        Key("title", \.title, .line, "One line about the device.", .required)
        Key("summary", \.summary, .text, "A few sentences about the device's behaviour.")
        Key("extends", Form.text, "The profile this one extends, by name or path.") { _, _, _ in }
        Key(
            "platform", Form<Platform>.choice, "The platform whose error codes an app receives.", .requiredOnceMerged
        ) { profile, platform, _ in
            profile.platform = platform
            profile.kind = DeviceKind(of: platform)
            profile.offersTheftProtection = platform.hasTheftProtection
            profile.platformErrors = try PlatformErrorVocabulary(reading: nil, platform: platform)
        }
        Key(
            "kind", \.kind, .choice, "The kind of device, for the list of profiles; default: the platform's usual kind."
        )
        Key(
            "faces", .faces,
            "The error codes an app receives on this platform where public sources disagree, such as `{ no-credential: notInteractive }`; `touchstone profiles show` names them."
        ) { profile, value, _ in
            profile.platformErrors = try PlatformErrorVocabulary(reading: value, platform: profile.platform)
            try profile.checkPlatformErrors(value)
        }
        Key("hardware", \.hardware, .hardware, "The real key the profile stands for: a name in `hardware/keys/`.")
    }

    @SectionBuilder<DeviceProfile>
    private static var deviceKeys: [DocumentKey<DeviceProfile>] {
        Key("usb", \.usb, USBIdentity.form, "The device's identity on the USB bus.")
        Key(
            "authenticator", \.authenticator,
            .mapping(AuthenticatorConfiguration.section, from: AuthenticatorConfiguration()), "The authenticator.",
            .requiredOnceMerged)
        Key("sensor", BiometricSensor.form, "The biometric sensor; without it and `sensors`, the device has none.") {
            profile, sensor, _ in profile.sensors = [sensor]
        }
        Key(
            "sensors", Form.list(of: BiometricSensor.form),
            "The sensors of a device with several, one for each modality; the first is the one that apps see."
        ) { profile, sensors, place in
            guard profile.sensors.isEmpty else { throw place.error("sensor and sensors cannot both be given") }
            try BiometricSensor.check(sensors, at: place)
            profile.sensors = sensors
        }
        Key("lockout", \.lockout, GatePolicy.form, "The rules for failed attempts; a device with a sensor needs them.")
        Key(
            "device-credential", ProfileCredential.form,
            "The credential that unlocks the device; without it, none is set."
        ) {
            profile, credential, _ in
            profile.deviceCredential = credential.kind
            profile.lockout?.credentialLockout = credential.lockout
        }
        Key(
            "passkey-exchange", \.passkeyExchange, PasskeyExchange.form,
            "The passkey provider's rules for documents of the Credential Exchange Format; without it, or with device-bound passkeys, the device neither exports nor imports them."
        )
        Key(
            "theft-protection", .flag,
            "Whether the system has a protection of stolen devices, which is off at first; default: on iOS and Android."
        ) { profile, offers, place in
            guard profile.platform.hasTheftProtection else {
                throw place.error("has an effect on iOS and Android only; remove theft-protection")
            }
            profile.offersTheftProtection = offers
        }
        Key(
            "faults", \.faults, .list(of: .fault),
            "The device's faults from the start, as `touchstone device fault` takes them.")
    }

    @SectionBuilder<DeviceProfile>
    private static var sourceKeys: [DocumentKey<DeviceProfile>] {
        Key(
            "unverified", \.unverified, .list(of: .text),
            "The settings that no public source confirms, by their path in this profile or its base.")
        Key("sources", \.sources, .list(of: .text), "The sources of the facts.")
    }
}

extension Form where Value == YAMLValue {
    /// A choice for some of the settings of the platforms' error codes.
    fileprivate static var faces: Form {
        Form(.object(Schema.Members(members: PlatformErrorTable.shared.settings.map(member))), words: "mapping") { $0 }
    }

    private static func member(_ setting: PlatformErrorSetting) -> Schema.Member {
        let variants = setting.variants.map { "\($0.name): \($0.about)" }.joined(separator: "; ")
        return .optional(
            setting.name, .orNull(Form<String>.name(setting.variants.map(\.name)).schema),
            "\(setting.about) - \(variants)")
    }
}

extension Form where Value == String {
    /// The name of a file in `hardware/keys/`, which must not lead elsewhere.
    fileprivate static var hardware: Form {
        Form(.pattern("[^./][^/]*"), words: "name") { value in
            let name = try value.singleLine()
            guard !name.contains("/"), !name.hasPrefix(".") else {
                throw value.error("expected a name in hardware/keys, found \"\(name)\"")
            }
            return name
        }
    }
}

extension Form where Value == Fault {
    fileprivate static var fault: Form {
        Form(Form<String>.text.schema, words: "fault") { value in
            do {
                return try Fault(parsing: try value.string())
            } catch let error as FaultSyntaxError {
                throw value.error(error.description)
            }
        }
    }
}

extension Platform {
    /// Whether devices of the platform have a protection of stolen devices: Stolen Device Protection or Identity Check.
    fileprivate var hasTheftProtection: Bool { self == .ios || self == .android }
}

extension DeviceProfile {
    /// Whether it has a way to verify the user: a sensor, a PIN or a passcode.
    package var canVerifyUser: Bool {
        authenticator.supportsClientPIN || !sensors.isEmpty || deviceCredential != nil
    }

    /// Refuses combinations of settings that contradict each other.
    private func checkConsistency(_ fields: YAMLFields) throws(SourceError) {
        if !sensors.isEmpty, lockout == nil {
            throw fields.owner.error("a device with a sensor needs a lockout section; add lockout")
        }
        if let value = fields["lockout"], sensors.isEmpty, deviceCredential == nil {
            throw value.error("lockout needs a sensor or a device credential; add one of them, or remove lockout")
        }
        if deviceCredential != nil, lockout == nil, let value = fields["device-credential"] {
            throw value.error("a device credential needs a lockout section; add lockout, or remove device-credential")
        }
        if lockout?.requiresAttention == true, !sensors.contains(where: { $0.modality == .face }) {
            throw (fields["lockout"]?.written(under: "attention") ?? fields.owner).error(
                "attention needs a face sensor; remove attention, or add a sensor for face")
        }
        let value = try fields.required("authenticator")
        if let usb = fields["usb"], !authenticator.transports.contains(.usb) {
            throw usb.error("usb needs the transport usb; add it to authenticator.transports, or remove usb")
        }
        if authenticator.isBackedUp, !authenticator.isBackupEligible {
            throw value.error("backup.state is true, but backup.eligible is not (WebAuthn L3 §6.1.3)")
        }
        if !authenticator.supportsClientPIN, authenticator.refusesPINForCredentials {
            throw value.error(
                "no-pin-for-credentials needs client-pin; add client-pin, or remove no-pin-for-credentials")
        }
        for fault in faults {
            let owners: String? =
                switch fault.change {
                case .platform(let other) where other.isOfAndroid: platform == .android ? nil : "Android"
                case .platform: authenticator.isPlatform ? nil : "phones and computers"
                case .hybrid: scansCodes ? nil : "phones with the transport hybrid"
                case .authenticator, .ctap, .transport: nil
                }
            if let owners {
                throw (fields["faults"] ?? fields.owner).error("\(fault.name) is a fault of \(owners); remove it")
            }
        }
        if let problem = authenticator.versionProblem(hasUserVerification: canVerifyUser) {
            throw (try value.entries().first { $0.key == "versions" }?.value ?? value).error(problem)
        }
        if authenticator.management.bioEnrollment != nil, !sensors.contains(where: { $0.modality == .fingerprint }) {
            throw value.error("management.bio-enrollment needs a fingerprint sensor; add one, or remove bio-enrollment")
        }
    }

    /// Refuses a choice among the error codes of another platform, which has no effect.
    private func checkPlatformErrors(_ value: YAMLValue) throws(SourceError) {
        let settings = platformErrors.settings
        for (setting, choice) in try value.entries() where !choice.isEmpty && !settings.contains(setting) {
            throw choice.error(
                "has no effect on \(platform.displayName)"
                    + (settings.isEmpty ? "" : "; choose one of \(settings.sorted().joined(separator: ", "))"))
        }
    }
}

extension YAMLValue {
    /// Refuses an unverified path that leads to no setting.
    fileprivate func checkUnverified(_ doubts: YAMLValue?) throws(SourceError) {
        for doubt in try doubts?.items() ?? [] {
            let path = try doubt.string()
            var place: YAMLValue? = self
            for key in path.split(separator: ".", omittingEmptySubsequences: false) {
                place = place?.written(under: String(key))
            }
            guard place != nil else {
                throw doubt.error("this profile has no setting \"\(path)\"; correct the path or remove it")
            }
        }
    }
}
