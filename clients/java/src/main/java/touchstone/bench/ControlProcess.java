package touchstone.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A running {@code touchstone control} on a free port of the loopback interface. It ends with {@link #close()}, and with this process. */
public final class ControlProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("control API on (http://\\S+:\\d+)");
    private final Process process;
    private final Path sockets;
    private final Thread hook = new Thread(this::end);
    private final Deque<String> lines = new ArrayDeque<>();
    private final String token = newToken();
    private final URI url;

    private ControlProcess(Path program) {
        try {
            // Devices of other programs on this computer may have the same names.
            sockets = Files.createTempDirectory("touchstone-");
            ProcessBuilder builder = new ProcessBuilder(program.toString(), "control", "--port", "0")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectInput(new File("/dev/null"));
            builder.environment().put("TOUCHSTONE_RUNTIME", sockets.toString());
            // The environment carries the token, because every process can list command lines.
            builder.environment().put("TOUCHSTONE_TOKEN", token);
            process = builder.start();
        } catch (IOException error) {
            throw new ProgramException("`" + program + " control` did not start: " + error.getMessage());
        }
        Runtime.getRuntime().addShutdownHook(hook);
        BufferedReader reader = new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        URI found = listening(reader);
        if (found == null) {
            close();
            throw new ProgramException("`touchstone control` ended with " + process.exitValue() + ": " + log());
        }
        url = found;
        // The pipe is read to its end: a full one would stop the program.
        Thread drain = new Thread(() -> listening(reader), "touchstone-stderr");
        drain.setDaemon(true);
        drain.start();
    }

    /** Starts the program, which {@link #find} finds. */
    public static ControlProcess start(String program) {
        return new ControlProcess(find(program));
    }

    /**
     * The program's file: the given one, {@code $TOUCHSTONE}, {@code touchstone} on the path, or the build of a checkout around the working
     * directory.
     */
    public static Path find(String program) {
        String given = program != null && !program.isEmpty() ? program : System.getenv("TOUCHSTONE");
        if (given != null && !given.isEmpty()) {
            Path found = onPath(given);
            if (found == null) {
                throw new ProgramException(given + " is not a program. Name the file of `touchstone`.");
            }
            return found;
        }
        Path found = onPath("touchstone");
        for (Path folder = Path.of("").toAbsolutePath(); found == null && folder != null; folder = folder.getParent()) {
            for (String build : List.of("release", "debug")) {
                Path candidate = folder.resolve(".build").resolve(build).resolve("touchstone");
                if (found == null && Files.isExecutable(candidate)) {
                    found = candidate;
                }
            }
        }
        if (found == null) {
            throw new ProgramException("`touchstone` was not found. Put it on the path, or name its file in $TOUCHSTONE.");
        }
        return found;
    }

    private static Path onPath(String name) {
        List<Path> candidates = new ArrayList<>();
        if (name.contains(File.separator)) {
            candidates.add(Path.of(name));
        } else {
            String path = System.getenv("PATH");
            for (String folder : path == null ? new String[0] : path.split(File.pathSeparator)) {
                candidates.add(Path.of(folder.isEmpty() ? "." : folder, name));
            }
        }
        return candidates.stream().filter(file -> Files.isRegularFile(file) && Files.isExecutable(file)).findFirst().orElse(null);
    }

    private static String newToken() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Reads until the program says its address, or to the end. */
    private URI listening(BufferedReader reader) {
        try {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                    if (lines.size() > 100) {
                        lines.remove();
                    }
                }
                Matcher found = LISTENING.matcher(line);
                if (found.find()) {
                    return URI.create(found.group(1));
                }
            }
        } catch (IOException error) {
            // The program has ended, and its pipe with it.
            return null;
        }
        return null;
    }

    /** The last lines that the program wrote to standard error. */
    public String log() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }

    /** The address of the control API. */
    public URI url() {
        return url;
    }

    /** The token of its requests. */
    public String token() {
        return token;
    }

    /** Ends the program and waits for its end. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException error) {
            // This process is ending, and the hook ends the program.
            return;
        }
        end();
    }

    private void end() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException error) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(sockets)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException error) {
            // The folder lies among the temporary files.
            return;
        }
    }
}
