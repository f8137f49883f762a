package org.meshbook.elastic.manager;

import org.meshbook.elastic.mesh.Mesh;

/// Where a program goes on after it offered to change its mesh.
///
/// @param mesh the other mesh, or the one that it was
/// @param state the state there: moved, or as it was
/// @param changed whether it is another mesh
/// @param <T> the state
public record Resized<T>(Mesh mesh, T state, boolean changed) {}
