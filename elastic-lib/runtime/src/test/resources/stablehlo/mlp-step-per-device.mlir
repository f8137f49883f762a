module @jit attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4x3xf32>, %arg3: tensor<3xf32>, %arg4: tensor<3x4xf32>, %arg5: tensor<3xi32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4x3xf32>, tensor<3xf32>, tensor<f32>) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
    %2 = stablehlo.add %0, %1 : tensor<3x4xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %5 = stablehlo.compare GT, %2, %4, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %6 = stablehlo.select %5, %2, %4 : tensor<3x4xi1>, tensor<3x4xf32>
    %7 = stablehlo.dot_general %6, %arg2, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
    %8 = "stablehlo.all_reduce"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %9 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<3xf32>) -> tensor<3x3xf32>
    %10 = stablehlo.add %8, %9 : tensor<3x3xf32>
    %11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.reduce(%10 init: %11) applies stablehlo.maximum across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %13 = stablehlo.reshape %12 : (tensor<3xf32>) -> tensor<3x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x3xf32>
    %15 = stablehlo.subtract %10, %14 : tensor<3x3xf32>
    %16 = stablehlo.exponential %15 : tensor<3x3xf32>
    %17 = stablehlo.reduce(%16 init: %3) applies stablehlo.add across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %18 = stablehlo.reshape %17 : (tensor<3xf32>) -> tensor<3x1xf32>
    %19 = stablehlo.log %18 : tensor<3x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x3xf32>
    %21 = stablehlo.subtract %15, %20 : tensor<3x3xf32>
    %22 = stablehlo.reshape %arg5 : (tensor<3xi32>) -> tensor<3x1xi32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<3x1xi32>) -> tensor<3x3xi32>
    %24 = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1] : (tensor<3xi32>) -> tensor<3x3xi32>
    %26 = stablehlo.compare EQ, %23, %25, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %27 = stablehlo.convert %26 : (tensor<3x3xi1>) -> tensor<3x3xf32>
    %28 = stablehlo.multiply %21, %27 : tensor<3x3xf32>
    %29 = stablehlo.reduce(%28 init: %3) applies stablehlo.add across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %30 = stablehlo.reduce(%29 init: %3) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %31 = "stablehlo.all_reduce"(%30) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %32 = stablehlo.constant dense<6.0> : tensor<f32>
    %33 = stablehlo.divide %31, %32 : tensor<f32>
    %34 = stablehlo.negate %33 : tensor<f32>
    %35 = stablehlo.constant dense<1.0> : tensor<f32>
    %36 = stablehlo.negate %35 : tensor<f32>
    %37 = stablehlo.divide %36, %32 : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0] : (tensor<3xf32>) -> tensor<3x3xf32>
    %40 = stablehlo.multiply %39, %27 : tensor<3x3xf32>
    %41 = stablehlo.negate %40 : tensor<3x3xf32>
    %42 = stablehlo.reduce(%41 init: %3) applies stablehlo.add across dimensions = [1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %43 = stablehlo.reshape %42 : (tensor<3xf32>) -> tensor<3x1xf32>
    %44 = stablehlo.divide %43, %18 : tensor<3x1xf32>
    %45 = stablehlo.reshape %44 : (tensor<3x1xf32>) -> tensor<3xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<3xf32>) -> tensor<3x3xf32>
    %47 = stablehlo.multiply %46, %16 : tensor<3x3xf32>
    %48 = stablehlo.add %40, %47 : tensor<3x3xf32>
    %49 = stablehlo.reduce(%48 init: %3) applies stablehlo.add across dimensions = [0] : (tensor<3x3xf32>, tensor<f32>) -> tensor<3xf32>
    %50 = "stablehlo.all_reduce"(%49) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<3xf32>) -> tensor<3xf32>
    %51 = stablehlo.dot_general %48, %arg2, contracting_dims = [1] x [1] : (tensor<3x3xf32>, tensor<4x3xf32>) -> tensor<3x4xf32>
    %52 = stablehlo.dot_general %6, %48, contracting_dims = [0] x [0] : (tensor<3x4xf32>, tensor<3x3xf32>) -> tensor<4x3xf32>
    %53 = "stablehlo.all_reduce"(%52) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<4x3xf32>) -> tensor<4x3xf32>
    %54 = stablehlo.select %5, %51, %4 : tensor<3x4xi1>, tensor<3x4xf32>
    %55 = stablehlo.reduce(%54 init: %3) applies stablehlo.add across dimensions = [0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
    %56 = "stablehlo.all_reduce"(%55) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %57 = stablehlo.dot_general %arg4, %54, contracting_dims = [0] x [0] : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %58 = "stablehlo.all_reduce"(%57) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %59 = stablehlo.constant dense<0.1> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %61 = stablehlo.multiply %58, %60 : tensor<4x4xf32>
    %62 = stablehlo.subtract %arg0, %61 : tensor<4x4xf32>
    %63 = stablehlo.broadcast_in_dim %59, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %64 = stablehlo.multiply %56, %63 : tensor<4xf32>
    %65 = stablehlo.subtract %arg1, %64 : tensor<4xf32>
    %66 = stablehlo.broadcast_in_dim %59, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %67 = stablehlo.multiply %53, %66 : tensor<4x3xf32>
    %68 = stablehlo.subtract %arg2, %67 : tensor<4x3xf32>
    %69 = stablehlo.broadcast_in_dim %59, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %70 = stablehlo.multiply %50, %69 : tensor<3xf32>
    %71 = stablehlo.subtract %arg3, %70 : tensor<3xf32>
    return %62, %65, %68, %71, %34 : tensor<4x4xf32>, tensor<4xf32>, tensor<4x3xf32>, tensor<3xf32>, tensor<f32>
  }
}
