package touchstone.bench;

/** The control API refused a request. */
public final class RequestException extends TouchstoneException {
    private static final long serialVersionUID = 1L;
    private final int status;
    private final String code;

    RequestException(int status, String code, String message) {
        super(message + " (" + status + " " + code + ")");
        this.status = status;
        this.code = code;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** A stable name, such as {@code device.notFound}. */
    public String code() {
        return code;
    }
}
