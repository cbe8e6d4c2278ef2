internal import CBOR
internal import CTAP
internal import Conformance
internal import SimulatedDevice

/// Modality, sensor and enrolment (CTAP 2.3 §6.7.2 to §6.7.5).
struct EnrolmentCases {
    private let command: EnrolmentCommand

    init(_ command: EnrolmentCommand) { self.command = command }

    var all: [AuthenticatorCase] { sensor + requests + enrolment }

    private var sensor: [AuthenticatorCase] {
        let command = command
        return [
            command.make(
                "modality", "names the modality fingerprint without a token", "6.7.2"
            ) { platform in
                let members = try await platform.accept(command.command, [0x06: true])
                platform.expect(members, 0x01, "modality", 1)
            },
            command.make(
                "sensorInfo", "describes the sensor without a token", "6.7.3"
            ) { platform in
                let members = try platform.members(
                    of: try await command.send(platform, .getFingerprintSensorInfo, nil, nil))
                let kind = try platform.number(members, 0x02, "fingerprintKind")
                platform.recorder.expect(
                    kind == 1 || kind == 2, "fingerprintKind 1 (touch) or 2 (swipe)", seen: "\(kind)")
                let samples = try platform.number(members, 0x03, "maxCaptureSamplesRequiredForEnroll")
                platform.recorder.expect(samples > 0, "a number of samples above 0", seen: "\(samples)")
            },
            command.make(
                "sensorInfo.name", "gives the longest name of a finger with the sensor", "6.7.3", level: .should
            ) { platform in
                let members = try platform.members(
                    of: try await command.send(platform, .getFingerprintSensorInfo, nil, nil))
                let length = try platform.number(members, 0x08, "maxTemplateFriendlyName")
                platform.recorder.expect(length > 0, "a length above 0", seen: "\(length)")
            },
            command.make("getInfo.none", "is declared as false while no finger is enrolled", "6.4", from: .noPIN) {
                platform in
                try await platform.expectOption(command.option, false)
            },
            command.make("getInfo.some", "is declared as true while a finger is enrolled", "6.4", from: .uv) {
                platform in
                try await platform.expectOption(command.option, true)
            },
        ]
    }

    private var requests: [AuthenticatorCase] {
        let command = command
        let authorised: [(BioEnrollmentSubcommand, String, CBOR.Map?)] = [
            (.enrollBegin, "6.7.4", nil), (.enrollCaptureNextSample, "6.7.4", [0x01: .bytes([1, 2])]),
            (.enumerateEnrollments, "6.7.6", nil),
            (.setFriendlyName, "6.7.7", [0x01: .bytes([1, 2]), 0x02: "name"]),
            (.removeEnrollment, "6.7.8", [0x01: .bytes([1, 2])]),
        ]
        let malformed: [(String, String, CBOR.Map, [CTAPStatus])] = [
            ("subCommand.missing", "a request without a subcommand", [0x01: 0x01], [.missingParameter]),
            (
                "subCommand.unknown", "an unknown subcommand", [0x01: 0x01, 0x02: 0x7E],
                [.invalidSubcommand, .invalidParameter]
            ),
            (
                "subCommand.wrongType", "a subcommand that is a text", [0x01: 0x01, 0x02: "7"],
                RequestChange.wrongTypeStatuses
            ),
            ("modality.missing", "a subcommand without a modality", [0x02: 0x07], [.missingParameter]),
            (
                "modality.unknown", "an unknown modality", [0x01: 0x7E, 0x02: 0x07],
                [.invalidParameter, .unsupportedOption]
            ),
            (
                "modality.wrongType", "a modality that is a text", [0x01: "1", 0x02: 0x07],
                RequestChange.wrongTypeStatuses
            ),
        ]
        return malformed.map { name, words, request, statuses in
            command.make(name, "refuses \(words)", "6.7") { platform in
                try await platform.refuse(command.command, request, with: statuses)
            }
        }
            + authorised.flatMap { subcommand, section, parameters in
                [
                    command.make(
                        "\(subcommand).noToken", "refuses \(subcommand) without a token", section, from: .pin
                    ) { platform in
                        platform.expect(
                            try await command.send(platform, subcommand, parameters, nil),
                            [.puatRequired, .missingParameter])
                    },
                    command.make(
                        "\(subcommand).wrongCode", "refuses \(subcommand) with a wrong pinUvAuthParam", section,
                        from: .pin
                    ) { platform in
                        let token = try await command.token(platform)
                        var request = platform.enrolRequest(subcommand.rawValue, parameters, token: token)
                        request[0x05] = .bytes(token.authenticate([0x7F]))
                        try await platform.refuse(command.command, request, with: [.pinAuthInvalid])
                    },
                    command.make(
                        "\(subcommand).noProtocol", "refuses \(subcommand) without a PIN/UV auth protocol", section,
                        from: .pin
                    ) { platform in
                        var request = platform.enrolRequest(
                            subcommand.rawValue, parameters, token: try await command.token(platform))
                        request[0x04] = nil
                        try await platform.refuse(
                            command.command, request, with: [.missingParameter, .invalidParameter])
                    },
                    command.make(
                        "\(subcommand).unknownProtocol", "refuses \(subcommand) with an unknown PIN/UV auth protocol",
                        section, from: .pin
                    ) { platform in
                        var request = platform.enrolRequest(
                            subcommand.rawValue, parameters, token: try await command.token(platform))
                        request[0x04] = 0x7E
                        try await platform.refuse(command.command, request, with: [.invalidParameter])
                    },
                ]
            }
            + (command.command == .bioEnrollment ? authorised : []).map { subcommand, section, parameters in
                command.make(
                    "\(subcommand).noPermission", "refuses \(subcommand) with a token without be", section, from: .pin,
                    needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
                ) { platform in
                    let token = try await platform.pinToken(.getAssertion, rpID: platform.rpID)
                    platform.expect(
                        try await command.send(platform, subcommand, parameters, token), [.pinAuthInvalid])
                }
            }
    }

    private var enrolment: [AuthenticatorCase] {
        let command = command
        return [
            command.make(
                "enrol.complete", "enrols a finger in the number of samples that it announced", "6.7.4", from: .pin,
                effects: [.changesSettings], person: [.verify]
            ) { platform in
                let id = try await command.enrolFinger(platform, try await command.token(platform))
                let fingers = try await command.fingers(platform, try await command.token(platform))
                platform.recorder.expect(
                    fingers[id] != nil, "the new template among the enrolled", seen: "\(fingers.count) others")
                try await platform.expectOption(command.option, true)
            },
            command.make(
                "enrol.first", "answers the first sample with template ID, status and remaining samples", "6.7.4",
                from: .pin, effects: [.changesSettings], person: [.verify]
            ) { platform in
                let members = try platform.members(
                    of: try await command.send(platform, .enrollBegin, nil, try await command.token(platform)))
                let id = try platform.bytes(members, 0x04, "templateId")
                platform.recorder.expect(!id.isEmpty, "a template ID", seen: "an empty one")
                platform.expect(members, 0x05, "lastEnrollSampleStatus", 0)
                _ = try platform.number(members, 0x06, "remainingSamples")
            },
            command.make(
                "enrol.poorSample", "answers a poor sample with its status and asks for as many as before", "6.7.4",
                from: .pin, effects: [.changesSettings], needs: [.simulatedUser]
            ) { platform in
                let token = try await command.token(platform)
                let first = try platform.members(of: try await command.send(platform, .enrollBegin, nil, token))
                let id = try platform.bytes(first, 0x04, "templateId")
                try await platform.bench.simulatedUser.tell(.sample(.tooFast))
                let next = try platform.members(
                    of: try await command.send(platform, .enrollCaptureNextSample, [0x01: .bytes(id)], token))
                platform.expect(next, 0x05, "lastEnrollSampleStatus", .integer(EnrollSampleStatus.tooFast.rawValue))
                platform.expect(next, 0x06, "remainingSamples", first[0x06])
            },
            command.make(
                "enrol.noActivity", "answers a sensor that is not touched with the status of no activity", "6.7.4",
                from: .pin, effects: [.changesSettings], needs: [.simulatedUser]
            ) { platform in
                let token = try await command.token(platform)
                try await platform.bench.user(.withholdTouch)
                let answer = try await command.send(platform, .enrollBegin, [0x03: 1000], token)
                platform.expect(try platform.members(of: answer), 0x05, "lastEnrollSampleStatus", 0x0D)
            },
            command.make(
                "enrol.unknownTemplate", "refuses a next sample of a template that is not being enrolled", "6.7.4",
                from: .pin
            ) { platform in
                let answer = try await command.send(
                    platform, .enrollCaptureNextSample, [0x01: .bytes([0x7E, 0x7E])], try await command.token(platform)
                )
                platform.expect(answer, [.invalidParameter, .invalidOption, .notAllowed])
            },
            command.make(
                "enrol.otherTemplate", "refuses a next sample of another template than the one being enrolled", "6.7.4",
                from: .pin, effects: [.changesSettings], person: [.verify]
            ) { platform in
                let token = try await command.token(platform)
                let first = try platform.members(of: try await command.send(platform, .enrollBegin, nil, token))
                let id = try platform.bytes(first, 0x04, "templateId")
                let answer = try await command.send(
                    platform, .enrollCaptureNextSample, [0x01: .bytes(id.map { ~$0 })], token)
                platform.expect(answer, [.invalidParameter, .invalidOption, .notAllowed])
            },
            command.make(
                "enrol.missingTemplate", "refuses a next sample without a template ID", "6.7.4", from: .pin
            ) { platform in
                platform.expect(
                    try await command.send(
                        platform, .enrollCaptureNextSample, nil, try await command.token(platform)),
                    [.missingParameter])
            },
            command.make(
                "enrol.cancelled", "enrols nothing after cancelCurrentEnrollment", "6.7.5", from: .pin,
                effects: [.changesSettings], person: [.verify]
            ) { platform in
                let token = try await command.token(platform)
                let first = try platform.members(of: try await command.send(platform, .enrollBegin, nil, token))
                let id = try platform.bytes(first, 0x04, "templateId")
                platform.expect(try await command.send(platform, .cancelCurrentEnrollment, nil, nil), [.ok])
                platform.expect(
                    try await command.send(platform, .enrollCaptureNextSample, [0x01: .bytes(id)], token),
                    [.invalidParameter, .invalidOption, .notAllowed])
            },
            command.make("enrol.cancelNothing", "accepts cancelCurrentEnrollment without an enrolment", "6.7.5") {
                platform in
                platform.expect(try await command.send(platform, .cancelCurrentEnrollment, nil, nil), [.ok])
            },
            command.make(
                "enrol.full", "refuses a finger more than the sensor has room for", "6.7.4", from: .freshPIN,
                effects: [.changesSettings], needs: [.simulatedUser]
            ) { platform in
                for _ in 0..<20 {
                    let token = try await command.token(platform)
                    let answer = try await command.send(platform, .enrollBegin, nil, token)
                    guard answer.status == .ok else {
                        platform.expect(answer, [.fingerprintDatabaseFull])
                        return
                    }
                    let first = try platform.members(of: answer)
                    let id = try platform.bytes(first, 0x04, "templateId")
                    for _ in 0..<(try platform.number(first, 0x06, "remainingSamples")) {
                        platform.expect(
                            try await command.send(
                                platform, .enrollCaptureNextSample, [0x01: .bytes(id)], token), [.ok])
                    }
                }
                throw CaseStop.notRun("the sensor has room for more than 20 fingers")
            },
            command.make(
                "enrol.platformCancel", "ends a waiting sample when the platform cancels it", "6.7.4", from: .pin,
                effects: [.changesSettings], person: [.withholdTouch]
            ) { platform in
                let request = platform.enrolRequest(
                    BioEnrollmentSubcommand.enrollBegin.rawValue, token: try await command.token(platform))
                platform.expect(
                    try await platform.bench.send(command.command, .map(request), cancelling: true),
                    [.keepaliveCancel])
            },
        ]
    }
}
