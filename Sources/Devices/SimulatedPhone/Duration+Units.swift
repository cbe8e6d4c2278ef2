/// Spans of time in tests.
extension Duration {
    /// One second.
    public static let seconds = Duration(secondsComponent: 1, attosecondsComponent: 0)
    /// One minute.
    public static let minutes = Duration(secondsComponent: 60, attosecondsComponent: 0)
    /// One hour.
    public static let hours = Duration(secondsComponent: 3600, attosecondsComponent: 0)
    /// One day of 24 hours.
    public static let days = Duration(secondsComponent: 86_400, attosecondsComponent: 0)

    /// A number of units: `30 * .seconds`.
    ///
    /// ```swift
    /// let validity = 30 * Duration.seconds
    /// ```
    public static func * (count: Int, unit: Duration) -> Duration { unit * count }
}
