module @operations attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<4xi32>, %arg2: tensor<2x3xf64>, %arg3: tensor<2x6x5x3xf32>, %arg4: tensor<3x2x3x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi64>, tensor<2x3xi64>, tensor<2x3xi1>, tensor<2x3xi32>, tensor<100xf32>, tensor<2x2xf32>, tensor<2xi1>, tensor<2xf64>, tensor<70xi32>, tensor<0x3xf32>, tensor<3x3xf32>, tensor<6x5xf32>, tensor<2x3x5xf32>, tensor<2xi32>, tensor<i32>, tensor<2x5x5xf32>, tensor<2x2xf32>, tensor<2x3x2x3xf32>, tensor<2x2x9x4xf32>, tensor<2x1xf32>, tensor<5x4xf32>, tensor<2x6xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x6xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<i32>) {
    %0 = stablehlo.compare GT, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %1 = stablehlo.negate %arg0 : tensor<2x3xf32>
    %2 = stablehlo.abs %arg0 : tensor<2x3xf32>
    %3 = stablehlo.sign %arg0 : tensor<2x3xf32>
    %4 = stablehlo.exponential %arg0 : tensor<2x3xf32>
    %5 = stablehlo.exponential_minus_one %arg0 : tensor<2x3xf32>
    %6 = stablehlo.log %arg0 : tensor<2x3xf32>
    %7 = stablehlo.log_plus_one %arg0 : tensor<2x3xf32>
    %8 = stablehlo.sqrt %arg0 : tensor<2x3xf32>
    %9 = stablehlo.rsqrt %arg0 : tensor<2x3xf32>
    %10 = stablehlo.tanh %arg0 : tensor<2x3xf32>
    %11 = stablehlo.logistic %arg0 : tensor<2x3xf32>
    %12 = stablehlo.sine %arg0 : tensor<2x3xf32>
    %13 = stablehlo.cosine %arg0 : tensor<2x3xf32>
    %14 = stablehlo.floor %arg0 : tensor<2x3xf32>
    %15 = stablehlo.ceil %arg0 : tensor<2x3xf32>
    %16 = stablehlo.not %0 : tensor<2x3xi1>
    %17 = stablehlo.add %arg0, %arg0 : tensor<2x3xf32>
    %18 = stablehlo.subtract %arg0, %arg0 : tensor<2x3xf32>
    %19 = stablehlo.multiply %arg0, %arg0 : tensor<2x3xf32>
    %20 = stablehlo.divide %arg0, %arg0 : tensor<2x3xf32>
    %21 = stablehlo.maximum %arg0, %arg0 : tensor<2x3xf32>
    %22 = stablehlo.minimum %arg0, %arg0 : tensor<2x3xf32>
    %23 = stablehlo.power %arg0, %arg0 : tensor<2x3xf32>
    %24 = stablehlo.remainder %arg0, %arg0 : tensor<2x3xf32>
    %25 = stablehlo.and %0, %0 : tensor<2x3xi1>
    %26 = stablehlo.or %0, %0 : tensor<2x3xi1>
    %27 = stablehlo.compare EQ, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %28 = stablehlo.compare EQ, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %29 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %30 = stablehlo.compare NE, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %31 = stablehlo.compare LT, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %32 = stablehlo.compare LT, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %33 = stablehlo.compare LE, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %34 = stablehlo.compare LE, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %35 = stablehlo.compare GT, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %36 = stablehlo.compare GE, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %37 = stablehlo.compare GE, %arg1, %arg1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %38 = stablehlo.constant dense<0.0> : tensor<f32>
    %39 = stablehlo.reduce(%arg0 init: %38) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %40 = stablehlo.constant dense<0.0> : tensor<f64>
    %41 = stablehlo.reduce(%arg2 init: %40) applies stablehlo.add across dimensions = [1, 0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<f64>
    %42 = stablehlo.constant dense<0> : tensor<i32>
    %43 = stablehlo.reduce(%arg1 init: %42) applies stablehlo.add across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
    %44 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %45 = stablehlo.reduce(%arg0 init: %44) applies stablehlo.maximum across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %46 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %47 = stablehlo.reduce(%arg2 init: %46) applies stablehlo.maximum across dimensions = [1, 0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<f64>
    %48 = stablehlo.constant dense<-2147483648> : tensor<i32>
    %49 = stablehlo.reduce(%arg1 init: %48) applies stablehlo.maximum across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
    %50 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %51 = stablehlo.reduce(%arg0 init: %50) applies stablehlo.minimum across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %52 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %53 = stablehlo.reduce(%arg2 init: %52) applies stablehlo.minimum across dimensions = [1, 0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<f64>
    %54 = stablehlo.constant dense<2147483647> : tensor<i32>
    %55 = stablehlo.reduce(%arg1 init: %54) applies stablehlo.minimum across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
    %56 = stablehlo.constant dense<1.0> : tensor<f32>
    %57 = stablehlo.reduce(%arg0 init: %56) applies stablehlo.multiply across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %58 = stablehlo.constant dense<1.0> : tensor<f64>
    %59 = stablehlo.reduce(%arg2 init: %58) applies stablehlo.multiply across dimensions = [1, 0] : (tensor<2x3xf64>, tensor<f64>) -> tensor<f64>
    %60 = stablehlo.constant dense<1> : tensor<i32>
    %61 = stablehlo.reduce(%arg1 init: %60) applies stablehlo.multiply across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
    %62 = stablehlo.compare EQ, %0, %0, UNSIGNED : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
    %63 = stablehlo.select %0, %arg0, %arg0 : tensor<2x3xi1>, tensor<2x3xf32>
    %64 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %65 = stablehlo.iota dim = 1 : tensor<2x3xf32>
    %66 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf64>
    %67 = stablehlo.iota dim = 1 : tensor<2x3xf64>
    %68 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi32>
    %69 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %70 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi64>
    %71 = stablehlo.iota dim = 1 : tensor<2x3xi64>
    %72 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi1>
    %73 = stablehlo.constant dense<"0xCD8257BE48059A3E453BE53DD635533F71A3ECBEAA68F13ECC9704BF4937D23F8862EABECA97E5BD5B28363EA3326F3E678B39BEE6B288BF74D654BF8B6EEBBE320D0FBE14634ABF64BB87BE05FD0CBF5D4D68BFE3FB803F512F01BE7DCD48BF46B91E3FD220B13E18D6D0BF5E96ECBEA7F026BE6C85B53ECE8C9B3E77FC89BF6AF9E8BF0F37DF3E0EFFC4BF83B2A6BFA2927B3FA47CA1BFF78024BEE39855BF1FB4B93D9FD83FBFD3EA0A3D6FF90ABFB4AEB73EAE2EB63E4442B5BD716D1F3E2B5C8BBF709ED7BF60BACA3D827D57BE063A6FBFE7E14BBF8C84273FCF2B5BBF79CA823FF596073F2E49C03EBCA131BF190FC7BEB33E77BECE0B8FC0AAB117BED7D513BF508CA9BE4F380B403737A63F52CC1D3EF08974BFBE5C903F2A9501C092B1483F5A37B13F2C61103FEDB4AC3F216DF23E0030B4BE5E4463BE29B68ABF34689FBED9CA0C4057FB10BFAA756EBF0BC0CABF051BA3BD0FAFD8BE71621D3FB44042BE2ECA4D408D47293F056197BF40E9F53E54E5BC3F9C541A3F4C665DBFDD558ABE28B0913FF8BE623FD02255BE"> : tensor<100xf32>
    %74 = stablehlo.constant dense<[[1.0, -2.5], [1.0E-10, 0x7FC00000]]> : tensor<2x2xf32>
    %75 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %76 = stablehlo.constant dense<[1.5, 0xFFF0000000000000]> : tensor<2xf64>
    %77 = stablehlo.constant dense<"0x000000000100000002000000030000000400000005000000060000000700000008000000090000000A0000000B0000000C0000000D0000000E0000000F000000100000001100000012000000130000001400000015000000160000001700000018000000190000001A0000001B0000001C0000001D0000001E0000001F000000200000002100000022000000230000002400000025000000260000002700000028000000290000002A0000002B0000002C0000002D0000002E0000002F000000300000003100000032000000330000003400000035000000360000003700000038000000390000003A0000003B0000003C0000003D0000003E0000003F000000400000004100000042000000430000004400000045000000"> : tensor<70xi32>
    %78 = stablehlo.constant dense<> : tensor<0x3xf32>
    %79 = stablehlo.constant dense<1.0> : tensor<3x3xf32>
    %80 = stablehlo.broadcast_in_dim %arg0, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x5x2xf32>
    %81 = stablehlo.reshape %80 : (tensor<3x5x2xf32>) -> tensor<6x5xf32>
    %82 = stablehlo.transpose %80, dims = [2, 0, 1] : (tensor<3x5x2xf32>) -> tensor<2x3x5xf32>
    %83 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %84:2 = stablehlo.reduce(%arg0 init: %44), (%83 init: %42) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %gt = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %nan = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %left = stablehlo.or %gt, %nan : tensor<i1>
      %eq = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %lt = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %tie = stablehlo.and %eq, %lt : tensor<i1>
      %first = stablehlo.or %left, %tie : tensor<i1>
      %v = stablehlo.select %left, %a, %b : tensor<i1>, tensor<f32>
      %k = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %v, %k : tensor<f32>, tensor<i32>
    }
    %85 = stablehlo.iota dim = 0 : tensor<4xi32>
    %86:2 = stablehlo.reduce(%arg1 init: %48), (%85 init: %42) across dimensions = [0] : (tensor<4xi32>, tensor<4xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
     reducer(%a: tensor<i32>, %b: tensor<i32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %gt = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %nan = stablehlo.compare NE, %a, %a, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %left = stablehlo.or %gt, %nan : tensor<i1>
      %eq = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %lt = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %tie = stablehlo.and %eq, %lt : tensor<i1>
      %first = stablehlo.or %left, %tie : tensor<i1>
      %v = stablehlo.select %left, %a, %b : tensor<i1>, tensor<i32>
      %k = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %v, %k : tensor<i32>, tensor<i32>
    }
    %87 = stablehlo.transpose %80, dims = [2, 1, 0] : (tensor<3x5x2xf32>) -> tensor<2x5x3xf32>
    %88 = stablehlo.dot_general %87, %80, batching_dims = [0] x [2], contracting_dims = [2] x [0] : (tensor<2x5x3xf32>, tensor<3x5x2xf32>) -> tensor<2x5x5xf32>
    %89 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
    %90 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [] x [] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2x3xf32>
    %91 = stablehlo.convolution(%arg3, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 0], [-1, 2]], lhs_dilate = [1, 2], rhs_dilate = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x5x3xf32>, tensor<3x2x3x4xf32>) -> tensor<2x2x9x4xf32>
    %92 = stablehlo.slice %arg0 [0:2, 1:3:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %93 = stablehlo.pad %arg0, %38, low = [1, -1], high = [0, 2], interior = [2, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x4xf32>
    %94 = stablehlo.concatenate %arg0, %arg0, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
    %95 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<2x3xf32>
    %96 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1>, indices_are_sorted = false}> : (tensor<2x3xf32>, tensor<4xi32>) -> tensor<2x4xf32>
    %97 = "stablehlo.scatter"(%arg0, %arg1, %96) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x3xf32>, tensor<4xi32>, tensor<2x4xf32>) -> tensor<2x3xf32>
    %98 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %99 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %100 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x3xf32>) -> tensor<2x6xf32>
    %101 = "stablehlo.reduce_scatter"(%arg0) <{scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %r = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }) : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %102 = stablehlo.constant dense<2> : tensor<i32>
    %103 = stablehlo.multiply %42, %102 : tensor<i32>
    %104 = stablehlo.partition_id : tensor<ui32>
    %105 = stablehlo.convert %104 : (tensor<ui32>) -> tensor<i32>
    %106 = stablehlo.divide %105, %102 : tensor<i32>
    %107 = stablehlo.remainder %106, %102 : tensor<i32>
    %108 = stablehlo.add %103, %107 : tensor<i32>
    %109 = stablehlo.multiply %108, %60 : tensor<i32>
    %110 = stablehlo.dynamic_slice %arg0, %109, %42, sizes = [1, 3] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %111 = stablehlo.partition_id : tensor<ui32>
    %112 = stablehlo.convert %111 : (tensor<ui32>) -> tensor<i32>
    %113 = stablehlo.divide %112, %60 : tensor<i32>
    %114 = stablehlo.remainder %113, %102 : tensor<i32>
    return %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %0, %35, %36, %37, %39, %41, %43, %45, %47, %49, %51, %53, %55, %57, %59, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %69, %73, %74, %75, %76, %77, %78, %79, %81, %82, %84#1, %86#1, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %arg0, %98, %99, %100, %101, %110, %114 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<2x3xi1>, tensor<4xi1>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f64>, tensor<i32>, tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi64>, tensor<2x3xi64>, tensor<2x3xi1>, tensor<2x3xi32>, tensor<100xf32>, tensor<2x2xf32>, tensor<2xi1>, tensor<2xf64>, tensor<70xi32>, tensor<0x3xf32>, tensor<3x3xf32>, tensor<6x5xf32>, tensor<2x3x5xf32>, tensor<2xi32>, tensor<i32>, tensor<2x5x5xf32>, tensor<2x2xf32>, tensor<2x3x2x3xf32>, tensor<2x2x9x4xf32>, tensor<2x1xf32>, tensor<5x4xf32>, tensor<2x6xf32>, tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x6xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<i32>
  }
}
