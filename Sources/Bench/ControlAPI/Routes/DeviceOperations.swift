internal import DeviceHost
internal import DeviceProfiles
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import SimulatedDevice
internal import Transports
internal import VirtualAuthenticator

extension ControlOperations {
    var devices: [Operation] {
        [
            Operation(
                method: .get, path: "/v1/devices", name: "listDevices", summary: "The devices there are",
                tag: "devices", answer: .json([DeviceSummary].self, "All devices, by name")
            ) { _ in try Reply.json(await fleet.all.map(DeviceSummary.init)) },
            Operation(
                method: .post, path: "/v1/devices", name: "createDevice", summary: "Start a device", tag: "devices",
                body: Self.orderSchema, answer: .state.with(.created), errors: [409, 422]
            ) { call in
                let device = try await fleet.start(try order(call.body))
                var response = try Reply.json(await DeviceState(device), status: .created)
                response.headers[.location] = "/v1/devices/\(device.name)"
                return response
            },
            Operation(
                method: .get, path: "/v1/devices/{device}", name: "readDevice", summary: "How a device is",
                tag: "devices", answer: .state
            ) { call in try Reply.json(await DeviceState(try await device(call))) },
            Operation(
                method: .delete, path: "/v1/devices/{device}", name: "deleteDevice",
                summary: "Switch a device off and forget it", tag: "devices", answer: .nothing("It is gone")
            ) { call in
                try await fleet.stop(call.parameter("device"))
                return Reply.noContent()
            },
            Operation(
                method: .get, path: "/v1/devices/{device}/clock", name: "readClock", summary: "A device's time",
                tag: "devices", answer: .json(ClockState.self, "Its time", named: "Clock")
            ) { call in try Reply.json(ClockState(try await device(call).host.clock)) },
            Operation(
                method: .post, path: "/v1/devices/{device}/clock", name: "advanceClock",
                summary: "Let time pass on a device's simulated clock", tag: "devices",
                body: .object(
                    .required(
                        "advance", Span.schema, "How long, such as \"30 s\" or \"5 min\".")),
                answer: .json(ClockState.self, "Its time now", named: "Clock"), errors: [409, 422]
            ) { call in try Reply.json(try advance(try await device(call), call.body["advance"]?.text ?? "")) },
        ]
    }

    /// The last second of the year 9999, where calendars end.
    private static let endOfTime = Duration.seconds(253_402_300_799)

    private func advance(_ device: ManagedDevice, _ text: String) throws(APIError) -> ClockState {
        guard case .simulated(let time) = device.host.clock else {
            throw APIError(
                409, .clockReal, "The device runs on the computer's clock; start one with \"clock\": \"simulated\".")
        }
        let span = try Span.duration(text)
        guard time.clock.now() + span <= Self.endOfTime else {
            throw APIError(422, .spanInvalid, "The clock would leave the year 9999.")
        }
        time.advance(by: span)
        return ClockState(device.host.clock)
    }
}

extension ControlOperations {
    private static let connectionsSchema = Schema.object(
        .optional("udp", .integer(0...65535), "Serve CTAPHID on this UDP port of 127.0.0.1; 0 takes a free one."),
        .optional("usb", .boolean, "Show it to the operating system as a USB key (Linux, /dev/uhid)."),
        .optional("nfc", .boolean, "Lay it on pcscd's virtual reader (vsmartcard-vpcd)."))

    private static let orderSchema = Schema.named(
        "DeviceOrder",
        .object(
            .required(
                "profile",
                .anyOf([
                    .string(1...100),
                    .object(.required("yaml", .string(1...100_000), "The text of a profile file.")),
                ]), "A profile's name, or a profile of your own."),
            .optional("name", DeviceOrder.nameSchema, "What to call it; the profile's name else."),
            .optional("seed", .integer(0...Int.max), "What its keys, IDs and signatures follow from."),
            .optional(
                "person", .choice(ControlledPerson.Habit.allCases.map(\.rawValue)),
                "What the person does when not told: auto agrees at once, ask waits."),
            .optional(
                "samples", SamplesOrder.schema,
                "How the person's samples come out by themselves; matches, unless given."),
            .optional("clock", .choice(ClockState.Kind.allCases.map(\.rawValue)), "The computer's, or one to advance."),
            .optional("connections", connectionsSchema, "How else programs reach it; none unless given.")))

    private func order(_ body: JSONValue) throws(APIError) -> DeviceOrder {
        var order = DeviceOrder(profile: try profile(body["profile"] ?? .null))
        order.name = body["name"]?.text
        order.seed = body["seed"]?.integer.map { UInt64($0) }
        order.habit = (body["person"]?.text).flatMap(ControlledPerson.Habit.init) ?? .auto
        if let samples = body["samples"] { order.nature = try SamplesOrder.plan(samples, seed: order.seed) }
        order.hasSimulatedClock = body["clock"]?.text == ClockState.Kind.simulated.rawValue
        let wished = body["connections"]
        if let port = wished?["udp"]?.integer {
            var udp = UDPEndpoint.Configuration()
            udp.port = port
            order.connections.udp = udp
        }
        order.connections.usb = wished?["usb"]?.bool ?? false
        if wished?["nfc"]?.bool == true { order.connections.nfc = VPCDEndpoint.Configuration() }
        return order
    }

    private func profile(_ value: JSONValue) throws(APIError) -> DeviceProfile {
        do {
            if let yaml = value["yaml"]?.text {
                return try DeviceProfile(parsing: yaml, file: "yaml", extendsByNameOnly: true)
            }
            return try configuration.profiles.known(value.text ?? "")
        } catch {
            throw APIError(422, .profileInvalid, "\(error).")
        }
    }
}

extension ProfileLibrary {
    /// The profile of a name; unlike ``profile(_:)`` never a file elsewhere, which is not a client's to name.
    func known(_ name: String) throws(SourceError) -> DeviceProfile {
        guard !name.contains("/"), !name.hasSuffix(".yaml"), !name.contains("\0") else {
            throw SourceError(file: "profile", line: nil, message: "\"\(name)\" is not the name of a profile")
        }
        return try profile(name)
    }
}
