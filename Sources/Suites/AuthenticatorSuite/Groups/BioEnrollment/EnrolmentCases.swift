internal import CBOR
internal import CTAP
internal import Conformance
internal import SimulatedDevice

/// Modality, sensor and enrolment (CTAP 2.3 §6.7.2 to §6.7.5).
struct EnrolmentCases {
    private let command: EnrolmentCommand

    init(_ command: EnrolmentCommand) { self.command = command }

    @CaseTable var all: [Case] {
        sensor
        requests
        enrolment
    }

    @CaseTable private var sensor: [Case] {
        let command = command
        command.make("modality", "names the modality fingerprint without a token", "6.7.2") { bench in
            let members = try await bench.accept(command.command, [0x06: true])
            bench.expect(members, 0x01, "modality", 1)
        }
        command.make("sensorInfo", "describes the sensor without a token", "6.7.3") { bench in
            let members = try bench.members(of: try await command.send(bench, .getFingerprintSensorInfo, nil, nil))
            let kind = try bench.number(members, 0x02, "fingerprintKind")
            bench.expect(kind == 1 || kind == 2, "fingerprintKind 1 (touch) or 2 (swipe)", seen: "\(kind)")
            let samples = try bench.number(members, 0x03, "maxCaptureSamplesRequiredForEnroll")
            bench.expect(samples > 0, "a number of samples above 0", seen: "\(samples)")
        }
        command.make(
            "sensorInfo.name", "gives the longest name of a finger with the sensor", "6.7.3", level: .should
        ) { bench in
            let members = try bench.members(of: try await command.send(bench, .getFingerprintSensorInfo, nil, nil))
            let length = try bench.number(members, 0x08, "maxTemplateFriendlyName")
            bench.expect(length > 0, "a length above 0", seen: "\(length)")
        }
        command.make("getInfo.none", "is declared as false while no finger is enrolled", "6.4", from: .noPIN) {
            bench in
            try await bench.expectOption(command.option, false)
        }
        command.make("getInfo.some", "is declared as true while a finger is enrolled", "6.4", from: .uv) {
            bench in
            try await bench.expectOption(command.option, true)
        }
    }

    @CaseTable private var requests: [Case] {
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
        for (name, words, request, statuses) in malformed {
            command.make(name, "refuses \(words)", "6.7") { bench in
                try await bench.refuse(command.command, request, with: statuses)
            }
        }
        for (subcommand, section, parameters) in authorised {
            command.make(
                "\(subcommand).noToken", "refuses \(subcommand) without a token", section, from: .pin
            ) { bench in
                bench.expect(
                    try await command.send(bench, subcommand, parameters, nil),
                    .puatRequired, .missingParameter)
            }
            command.make(
                "\(subcommand).wrongCode", "refuses \(subcommand) with a wrong pinUvAuthParam", section,
                from: .pin
            ) { bench in
                let token = try await command.token(bench)
                var request = bench.enrolRequest(subcommand.rawValue, parameters, token: token)
                request[0x05] = .bytes(token.authenticate([0x7F]))
                try await bench.refuse(command.command, request, with: [.pinAuthInvalid])
            }
            command.make(
                "\(subcommand).noProtocol", "refuses \(subcommand) without a PIN/UV auth protocol", section,
                from: .pin
            ) { bench in
                var request = bench.enrolRequest(subcommand.rawValue, parameters, token: try await command.token(bench))
                request[0x04] = nil
                try await bench.refuse(command.command, request, with: [.missingParameter, .invalidParameter])
            }
            command.make(
                "\(subcommand).unknownProtocol", "refuses \(subcommand) with an unknown PIN/UV auth protocol",
                section, from: .pin
            ) { bench in
                var request = bench.enrolRequest(subcommand.rawValue, parameters, token: try await command.token(bench))
                request[0x04] = 0x7E
                try await bench.refuse(command.command, request, with: [.invalidParameter])
            }
        }
        for (subcommand, section, parameters) in command.command == .bioEnrollment ? authorised : [] {
            command.make(
                "\(subcommand).noPermission", "refuses \(subcommand) with a token without be", section, from: .pin,
                needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
            ) { bench in
                let token = try await bench.pinToken(.getAssertion, rpID: bench.relyingPartyID)
                bench.expect(try await command.send(bench, subcommand, parameters, token), .pinAuthInvalid)
            }
        }
    }

    @CaseTable private var enrolment: [Case] {
        let command = command
        command.make(
            "enrol.complete", "enrols a finger in the number of samples that it announced", "6.7.4", from: .pin,
            effects: [.changesSettings], person: [.verify]
        ) { bench in
            let id = try await command.enrolFinger(bench, try await command.token(bench))
            let fingers = try await command.fingers(bench, try await command.token(bench))
            bench.expect(fingers[id] != nil, "the new template among the enrolled", seen: "\(fingers.count) others")
            try await bench.expectOption(command.option, true)
        }
        command.make(
            "enrol.first", "answers the first sample with template ID, status and remaining samples", "6.7.4",
            from: .pin, effects: [.changesSettings], person: [.verify]
        ) { bench in
            let members = try bench.members(
                of: try await command.send(bench, .enrollBegin, nil, try await command.token(bench)))
            let id = try bench.bytes(members, 0x04, "templateId")
            bench.expect(!id.isEmpty, "a template ID", seen: "an empty one")
            bench.expect(members, 0x05, "lastEnrollSampleStatus", 0)
            _ = try bench.number(members, 0x06, "remainingSamples")
        }
        command.make(
            "enrol.poorSample", "answers a poor sample with its status and asks for as many as before", "6.7.4",
            from: .pin, effects: [.changesSettings], needs: [.simulatedDevice]
        ) { bench in
            let token = try await command.token(bench)
            let first = try bench.members(of: try await command.send(bench, .enrollBegin, nil, token))
            let id = try bench.bytes(first, 0x04, "templateId")
            try await bench.simulatedUser.tell(.sample(.tooFast))
            let next = try bench.members(
                of: try await command.send(bench, .enrollCaptureNextSample, [0x01: .bytes(id)], token))
            bench.expect(next, 0x05, "lastEnrollSampleStatus", .integer(EnrollSampleStatus.tooFast.rawValue))
            bench.expect(next, 0x06, "remainingSamples", first[0x06])
        }
        command.make(
            "enrol.noActivity", "answers a sensor that is not touched with the status of no activity", "6.7.4",
            from: .pin, effects: [.changesSettings], needs: [.simulatedDevice]
        ) { bench in
            let token = try await command.token(bench)
            try await bench.user(.withholdTouch)
            let began = bench.now
            let answer = try await command.send(bench, .enrollBegin, [0x03: 1000], token)
            let seconds = (bench.now - began) / .seconds(1)
            bench.expect(try bench.members(of: answer), 0x05, "lastEnrollSampleStatus", 0x0D)
            bench.expect(seconds <= 2, "an answer after the time-out of one second", seen: "one after \(seconds) s")
        }
        command.make(
            "enrol.unknownTemplate", "refuses a next sample of a template that is not being enrolled", "6.7.4",
            from: .pin
        ) { bench in
            let answer = try await command.send(
                bench, .enrollCaptureNextSample, [0x01: .bytes([0x7E, 0x7E])], try await command.token(bench)
            )
            bench.expect(answer, .invalidParameter, .invalidOption, .notAllowed)
        }
        command.make(
            "enrol.otherTemplate", "refuses a next sample of another template than the one being enrolled", "6.7.4",
            from: .pin, effects: [.changesSettings], person: [.verify]
        ) { bench in
            let token = try await command.token(bench)
            let first = try bench.members(of: try await command.send(bench, .enrollBegin, nil, token))
            let id = try bench.bytes(first, 0x04, "templateId")
            let answer = try await command.send(bench, .enrollCaptureNextSample, [0x01: .bytes(id.map { ~$0 })], token)
            bench.expect(answer, .invalidParameter, .invalidOption, .notAllowed)
        }
        command.make(
            "enrol.begunAgain", "refuses a next sample for the first template after a second enrollBegin", "6.7.4",
            from: .pin, effects: [.changesSettings], person: [.verify, .verify]
        ) { bench in
            let token = try await command.token(bench)
            let first = try bench.members(of: try await command.send(bench, .enrollBegin, nil, token))
            let second = try bench.members(of: try await command.send(bench, .enrollBegin, nil, token))
            let (former, latter) = (
                try bench.bytes(first, 0x04, "templateId"), try bench.bytes(second, 0x04, "templateId")
            )
            guard former != latter else {
                throw CaseStop.notApplicable("both enrolments have the same template ID")
            }
            let answer = try await command.send(bench, .enrollCaptureNextSample, [0x01: .bytes(former)], token)
            bench.expect(answer, .invalidParameter, .invalidOption, .notAllowed)
        }
        command.make(
            "enrol.missingTemplate", "refuses a next sample without a template ID", "6.7.4", from: .pin
        ) { bench in
            bench.expect(
                try await command.send(bench, .enrollCaptureNextSample, nil, try await command.token(bench)),
                .missingParameter)
        }
        command.make(
            "enrol.cancelled", "enrols nothing after cancelCurrentEnrollment", "6.7.5", from: .pin,
            effects: [.changesSettings], person: [.verify]
        ) { bench in
            let token = try await command.token(bench)
            let first = try bench.members(of: try await command.send(bench, .enrollBegin, nil, token))
            let id = try bench.bytes(first, 0x04, "templateId")
            bench.expect(try await command.send(bench, .cancelCurrentEnrollment, nil, nil), .ok)
            bench.expect(
                try await command.send(bench, .enrollCaptureNextSample, [0x01: .bytes(id)], token),
                .invalidParameter, .invalidOption, .notAllowed)
        }
        command.make("enrol.cancelNothing", "accepts cancelCurrentEnrollment without an enrolment", "6.7.5") {
            bench in
            bench.expect(try await command.send(bench, .cancelCurrentEnrollment, nil, nil), .ok)
        }
        command.make(
            "enrol.full", "refuses a finger more than the sensor has room for", "6.7.4", from: .freshPIN,
            effects: [.changesSettings], needs: [.simulatedDevice]
        ) { bench in
            for _ in 0..<20 {
                let token = try await command.token(bench)
                let answer = try await command.send(bench, .enrollBegin, nil, token)
                guard answer.status == .ok else {
                    bench.expect(answer, .fingerprintDatabaseFull)
                    return
                }
                let first = try bench.members(of: answer)
                let id = try bench.bytes(first, 0x04, "templateId")
                for _ in 0..<(try bench.number(first, 0x06, "remainingSamples")) {
                    bench.expect(
                        try await command.send(
                            bench, .enrollCaptureNextSample, [0x01: .bytes(id)], token), .ok)
                }
            }
            throw CaseStop.notRun("the sensor has room for more than 20 fingers")
        }
        command.make(
            "enrol.platformCancel", "ends a waiting sample when the platform cancels it", "6.7.4", from: .pin,
            effects: [.changesSettings], person: [.withholdTouch]
        ) { bench in
            let request = bench.enrolRequest(
                BioEnrollmentSubcommand.enrollBegin.rawValue, token: try await command.token(bench))
            bench.expect(
                try await bench.send(command.command, request, cancelling: true),
                .keepaliveCancel)
        }
    }
}
