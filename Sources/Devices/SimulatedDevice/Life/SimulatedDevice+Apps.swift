internal import Biometrics
internal import Causes
internal import DeviceProfiles
internal import PlatformErrors
internal import VirtualAuthenticator

/// An act on an app.
package enum AppAct: String, Sendable, CaseIterable {
    /// The app is installed; it does not run yet.
    case install
    /// The app is opened in the foreground.
    case launch
    /// The system starts the app in the background, as for a notification, also while the screen is locked.
    case wake
    /// The app leaves the foreground: the home button, another app, a call.
    case background
    /// The app returns to the foreground with its memory.
    case resume
    /// The system or the user stops the app: its memory is lost, its storage is kept.
    case kill
    /// The app is removed, and on some platforms its storage.
    case uninstall
    case reinstall
    /// The user clears the app's data in the settings, which also stops the app.
    case clearData = "clear-data"

    var event: DeviceEvent.Kind {
        switch self {
        case .install: .appInstall
        case .launch: .appLaunch
        case .wake: .appWake
        case .background: .appBackground
        case .resume: .appResume
        case .kill: .appKill
        case .uninstall: .appUninstall
        case .reinstall: .appReinstall
        case .clearData: .appClearData
        }
    }
}

extension AppState {
    mutating func stop() {
        isRunning = false
        isInForeground = false
        leftAt = nil
    }
}

extension SimulatedDevice {
    /// Performs an act on an app.
    ///
    /// A prompt whose app leaves the foreground ends as ``leavingTheScreen`` says; one whose app is killed as
    /// ``GateFailure/appCancelled``.
    ///
    /// - Returns: for ``AppAct/resume``, the time the app was in the background.
    @discardableResult
    package func perform(_ act: AppAct, app: String = SecretID.defaultApp) async throws -> Duration? {
        try requireScreen()
        var away: Duration?
        switch act {
        case .install: try install(app)
        case .launch: try await launch(app)
        case .wake: try wake(app)
        case .resume: away = try await resume(app)
        case .background: try await background(app)
        case .kill: try await end(app)
        case .uninstall: try await uninstall(app)
        case .reinstall:
            if life.state.apps[app]?.isInstalled == true { try await uninstall(app) }
            try install(app)
        case .clearData: try await clearData(of: app)
        }
        let awayWords = away.map { ", away for \($0 / .seconds(1)) s" } ?? ""
        life.note(DeviceEvent(act.event, "\(app): \(act.rawValue)\(awayWords)"))
        return away
    }

    private func install(_ app: String) throws {
        try life.change { state in
            guard state.apps[app]?.isInstalled != true else { return }
            var fresh = AppState()
            fresh.dataRemovals = state.apps[app]?.dataRemovals ?? 0
            fresh.stop()
            state.apps[app] = fresh
        }
    }

    private func launch(_ app: String) async throws {
        try life.requireInstalled(app)
        try life.requireUnlocked()
        try await takeScreen(app)
    }

    /// Moves an app to the foreground; the former foreground app's prompt ends.
    private func takeScreen(_ app: String) async throws {
        var didLeave = false
        try life.change { state in
            didLeave = state.leaveScreen(at: life.now, except: app)
            var place = AppState()
            // The user's answer and the app's stored items outlive its process.
            (place.isSensorDenied, place.domainState) = (state.apps[app]?.isSensorDenied, state.apps[app]?.domainState)
            place.dataRemovals = state.apps[app]?.dataRemovals ?? 0
            state.apps[app] = place
        }
        if didLeave { await life.leaving { _ = await authenticator.endPrompt(leavingTheScreen) } }
    }

    private func wake(_ app: String) throws {
        try life.requireInstalled(app)
        try life.change { state in
            guard state.apps[app]?.isRunning == false else { return }
            state.apps[app]?.isRunning = true
            state.apps[app]?.leftAt = life.now
        }
    }

    private func resume(_ app: String) async throws -> Duration {
        try life.requireInstalled(app)
        try life.requireRunning(app)
        try life.requireUnlocked()
        let away = life.state.apps[app]?.leftAt.map { life.now - $0 } ?? .zero
        try await takeScreen(app)
        return away
    }

    private func background(_ app: String) async throws {
        try life.requireInstalled(app)
        try life.requireRunning(app)
        guard life.state.apps[app]?.isInForeground == true else { return }
        try life.change { _ = $0.leaveScreen(at: life.now) }
        await authenticator.endPrompt(leavingTheScreen)
    }

    private func end(_ app: String) async throws {
        try life.requireInstalled(app)
        let wasInForeground = life.state.apps[app]?.isInForeground == true
        try life.change { $0.apps[app]?.stop() }
        life.forgetContexts(of: app)
        if wasInForeground { await authenticator.endPrompt(.cancelByApp) }
    }

    private func uninstall(_ app: String) async throws {
        try await end(app)
        if !secureStorage.rules.itemsOutliveApps { try removeItems(of: app) }
        try life.change { state in
            state.apps[app]?.isInstalled = false
            state.apps[app]?.dataRemovals += 1
        }
    }

    private func clearData(of app: String) async throws {
        guard secureStorage.rules.canClearData else {
            throw DeviceRefusal(
                .notOnThisPlatform, "\(profile.platform.displayName) clears no app's data; reinstall it")
        }
        try await end(app)
        try removeItems(of: app)
        try life.change { $0.apps[app]?.dataRemovals += 1 }
    }

    private func removeItems(of app: String) throws {
        try secureStorage.removeAll(secureStorage.ids.filter { $0.app == app })
    }
}

extension LifeState {
    /// Moves the foreground app to the background; returns whether there was one.
    mutating func leaveScreen(at now: Duration, except app: String? = nil) -> Bool {
        let leaving = apps.filter { $0.value.isInForeground && $0.key != app }.keys
        for name in leaving {
            apps[name]?.isInForeground = false
            apps[name]?.leftAt = now
        }
        return !leaving.isEmpty
    }
}
