package org.meshbook.kernel.jshell;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jshell.execution.LoaderDelegate;
import jdk.jshell.spi.ExecutionControl.ClassBytecodes;
import jdk.jshell.spi.ExecutionControl.ClassInstallException;
import jdk.jshell.spi.ExecutionControl.InternalException;
import org.jspecify.annotations.Nullable;

/// The loader of the cells' classes, and of the jars that cells add.
///
/// JShell's own keeps its classes in a map that running code reads while the next cell's are put
/// in. Thread-safe.
final class CellClasses implements LoaderDelegate {
    private final Loader loader = new Loader(ClassLoader.getSystemClassLoader());
    private final Map<String, Class<?>> loaded = new ConcurrentHashMap<>();

    ClassLoader loader() {
        return loader;
    }

    @Override
    public void load(ClassBytecodes[] classes) throws ClassInstallException {
        // All of a batch are known before the first is loaded: they may extend one another.
        classesRedefined(classes);
        var done = new boolean[classes.length];
        for (var i = 0; i < classes.length; i++) {
            try {
                var type = loader.loadClass(classes[i].name());
                loaded.put(classes[i].name(), type);
                done[i] = true;
                // Links it so far that what is wrong with it shows here.
                var unused = type.getDeclaredMethods();
            } catch (ClassNotFoundException | LinkageError e) {
                throw new ClassInstallException("load: " + e.getMessage(), done);
            }
        }
    }

    @Override
    public void classesRedefined(ClassBytecodes[] classes) {
        for (var each : classes) {
            loader.bytes.put(Loader.path(each.name()), each.bytecodes());
        }
    }

    @Override
    public void addToClasspath(String path) throws InternalException {
        for (var entry : path.split(File.pathSeparator)) {
            try {
                loader.addURL(Path.of(entry).toUri().toURL());
            } catch (MalformedURLException | IllegalArgumentException e) {
                throw new InternalException(e.toString());
            }
        }
    }

    @Override
    public Class<?> findClass(String name) throws ClassNotFoundException {
        var type = loaded.get(name);
        if (type == null) {
            throw new ClassNotFoundException(name + " was not loaded");
        }
        return type;
    }

    /// Forgets what the static variables of a class hold.
    void empty(String name) {
        var type = loaded.get(name);
        if (type != null && KeptVariables.isWrapper(name)) {
            KeptVariables.clear(type);
        }
    }

    /// Forgets the bytes of a class, which is loaded, and what its static variables hold.
    void forget(String name) {
        loader.bytes.remove(Loader.path(name));
        var type = loaded.remove(name);
        if (type != null && KeptVariables.isWrapper(name)) {
            KeptVariables.clear(type);
        }
    }

    private static final class Loader extends URLClassLoader {
        private final Map<String, byte[]> bytes = new ConcurrentHashMap<>();

        Loader(ClassLoader parent) {
            super("meshbook-cells", new URL[0], parent);
        }

        static String path(String className) {
            return className.replace('.', '/') + ".class";
        }

        @Override
        protected void addURL(URL url) {
            super.addURL(url);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            var own = bytes.get(path(name));
            return own == null ? super.findClass(name) : defineClass(name, own, 0, own.length);
        }

        @Override
        public @Nullable URL findResource(String name) {
            var own = bytes.get(name);
            return own == null ? super.findResource(name) : url(name, own);
        }

        @Override
        public Enumeration<URL> findResources(String name) throws IOException {
            var own = bytes.get(name);
            if (own == null) {
                return super.findResources(name);
            }
            var all = new ArrayList<URL>();
            all.add(url(name, own));
            all.addAll(Collections.list(super.findResources(name)));
            return Collections.enumeration(all);
        }

        private static URL url(String name, byte[] content) {
            try {
                return URL.of(URI.create("jshell:/" + name), new InMemory(content));
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(e);
            }
        }
    }

    private static final class InMemory extends URLStreamHandler {
        private final byte[] content;

        InMemory(byte[] content) {
            this.content = content;
        }

        @Override
        protected URLConnection openConnection(URL url) {
            return new URLConnection(url) {
                @Override
                public void connect() {
                    connected = true;
                }

                @Override
                public int getContentLength() {
                    return content.length;
                }

                @Override
                public InputStream getInputStream() {
                    return new ByteArrayInputStream(content);
                }
            };
        }
    }
}
