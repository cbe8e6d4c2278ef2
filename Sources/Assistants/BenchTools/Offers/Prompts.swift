internal import ModelContext

extension Bench {
    static let prompts = [
        ContextPrompt(
            "find_out_why_a_sign_in_fails", title: "Find out why a sign-in fails",
            "Finds the cause of an error, reproduces it on a simulated device, and names the fix.",
            arguments: [
                .init("error", "The error: a code, a sentence, a line of a log or a stack trace.", isRequired: true),
                .init("device", "The profile of the device, such as iphone-face-id.", isRequired: false),
                .init("page", "The URL of the page or of the app's server.", isRequired: false),
            ]
        ) { arguments in
            let device = arguments["device"] ?? "a profile of list_profiles that fits"
            let page = arguments["page"].map { " Open \($0) with open_browser, and repeat the sign-in there." } ?? ""
            return """
                A sign-in fails with this error:

                \(arguments["error"] ?? "")

                Find out why. Look the error up with look_up_error, and take the causes in their order. Start \(device) with \
                create_device, bring it into the state of each cause with act and tell_user, and sign in.\(page) Compare the error \
                with the one above. Read events to see the device's own reason. Then say which cause it is, what the user sees, what \
                the code has to do about it, and write a scenario that run_scenario fails before the fix and passes after it.
                """
        },
        ContextPrompt(
            "test_a_lockout", title: "Test a lockout",
            "Writes and runs a test of the lockout of Face ID or a fingerprint sensor.",
            arguments: [
                .init("app", "What the app does at sign-in or unlock, and after a lockout.", isRequired: true),
                .init("device", "The profile of the device; default: iphone-face-id.", isRequired: false),
            ]
        ) { arguments in
            """
            The app: \(arguments["app"] ?? "")

            Test what it does when the sensor of \(arguments["device"] ?? "iphone-face-id") locks. Read \
            touchstone://docs/scenarios and touchstone://docs/scenario-reference first. Write a scenario in which the user's samples \
            do not match until the sensor is locked, then enters the passcode, and signs in again. Run it with run_scenario, read the \
            failing steps, and repair the scenario or name the app's mistake.
            """
        },
    ]
}
